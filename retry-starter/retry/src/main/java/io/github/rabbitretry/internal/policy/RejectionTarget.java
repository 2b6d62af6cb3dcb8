/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * Where business rejection events are published.
 *
 * @param exchange the exchange
 * @param routingKey the routing key
 * @param mandatory whether an event that no queue takes holds the message back until one
 * does
 */
public record RejectionTarget(String exchange, String routingKey, boolean mandatory) {
}
