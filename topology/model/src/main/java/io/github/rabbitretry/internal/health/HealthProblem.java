/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.health;

/**
 * A reason why messages are not handled, or not safe, at the moment.
 *
 * @param code what is wrong in a few words, in lower case with hyphens, such as
 * {@code publisher-refused}; from a closed list
 * @param subject the message type, queue or connection that is affected
 * @param detail the cause, with the broker's or the database's own text
 */
public record HealthProblem(String code, String subject, String detail) {
}
