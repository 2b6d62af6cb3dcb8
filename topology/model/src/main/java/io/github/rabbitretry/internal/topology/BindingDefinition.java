/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A binding to be declared.
 *
 * @param exchange where messages come from
 * @param routingKey the key, or the pattern, that leads to the destination
 * @param type whether the destination is a queue or an exchange
 * @param destination where messages go to
 */
public record BindingDefinition(String exchange, String routingKey, DestinationType type, String destination) {

	static BindingDefinition toQueue(String exchange, String routingKey, String queue) {
		return new BindingDefinition(exchange, routingKey, DestinationType.QUEUE, queue);
	}

	static BindingDefinition toExchange(String exchange, String routingKey, String destination) {
		return new BindingDefinition(exchange, routingKey, DestinationType.EXCHANGE, destination);
	}

}
