/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import org.jspecify.annotations.Nullable;

/**
 * Why a message failed last, whatever was decided then: messages of a queue that have it
 * in common are one group.
 *
 * @param id equal for equal causes in a queue
 * @param exception the class of the innermost exception, or {@code null} if there is none
 * @param text its message, in which a {@code #} stands for what differs from message to
 * message as numbers, ids and quoted texts do, or {@code null} if there is none
 */
public record FailureCause(String id, @Nullable String exception, @Nullable String text) {

}
