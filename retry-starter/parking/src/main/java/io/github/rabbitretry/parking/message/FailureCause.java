/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import org.jspecify.annotations.Nullable;

/**
 * The cause of a message's last failure, regardless of the decision: messages of a queue
 * with the same cause form a group.
 *
 * @param id equal for equal causes in a queue
 * @param exception the class of the innermost exception, or {@code null} if there is none
 * @param text its message, in which {@code #} replaces parts that vary between messages,
 * such as numbers, ids and quoted text, or {@code null} if there is none
 */
public record FailureCause(String id, @Nullable String exception, @Nullable String text) {

}
