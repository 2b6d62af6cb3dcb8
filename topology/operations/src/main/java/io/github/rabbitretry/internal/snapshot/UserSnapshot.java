/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The application's user as the broker has it.
 *
 * @param name the user
 * @param tags the user's tags
 * @param configure the pattern of what the user may configure, or {@code null} without
 * access to the virtual host
 * @param write the pattern of what the user may write to
 * @param read the pattern of what the user may read
 */
public record UserSnapshot(String name, List<String> tags, @Nullable String configure, @Nullable String write,
		@Nullable String read) {
}
