/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

/**
 * One message as it is sent.
 *
 * @param id its number, which stands in its body
 * @param queue where it is sent to
 * @param kind what is strange about it, for people
 * @param amqp10 whether {@code content} is a whole AMQP 1.0 message, else it is an AMQP
 * 0-9-1 property list
 * @param content flags and properties, or sections
 * @param body the body of AMQP 0-9-1
 * @param alone whether the broker may refuse it, and end the connection
 */
record FuzzMessage(int id, String queue, String kind, boolean amqp10, byte[] content, byte[] body, boolean alone) {
}
