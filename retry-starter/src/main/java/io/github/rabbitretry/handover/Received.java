/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * A message exactly as it came, before Spring AMQP turned it into its own: that is lossy,
 * and handlers may change what they get.
 *
 * @param properties the properties as received
 * @param body the body as received
 * @param exchange the exchange that it was published to
 * @param routingKey the key that it was published with
 * @param queue the queue that it was delivered from
 */
public record Received(BasicProperties properties, byte[] body, String exchange, String routingKey, String queue) {
}
