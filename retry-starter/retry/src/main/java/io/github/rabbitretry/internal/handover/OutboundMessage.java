/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * A message to be published.
 *
 * @param exchange where to
 * @param routingKey with which key
 * @param properties its properties
 * @param body its body
 * @param mandatory whether it must find a queue
 */
public record OutboundMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
		boolean mandatory) {

	/**
	 * A message that must find a queue.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param properties its properties
	 * @param body its body
	 */
	public OutboundMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
		this(exchange, routingKey, properties, body, true);
	}

}
