/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A queue as it should be, and what is known of it.
 *
 * @param name its name
 * @param role what it is for
 * @param type the type that it is declared with, or that of an existing queue
 * @param existing whether another application declares it
 * @param arguments the arguments of its declaration
 * @param present whether it is there, or {@code null} if that is not known
 * @param messages how many messages are in it, or {@code null} if that is not known
 * @param ready those that can be delivered
 * @param unacknowledged those that are delivered
 * @param consumers how many consumers it has
 * @param state its state as the broker calls it
 */
public record QueueReport(String name, String role, String type, boolean existing, Map<String, Object> arguments,
		@Nullable Boolean present, @Nullable Long messages, @Nullable Long ready, @Nullable Long unacknowledged,
		@Nullable Integer consumers, @Nullable String state) {
}
