/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.Map;

import io.github.rabbitretry.internal.topology.BindingDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A binding as the broker has it.
 *
 * @param source the exchange
 * @param destination the queue or exchange
 * @param toQueue whether the destination is a queue
 * @param routingKey the routing key
 * @param propertiesKey what the management API calls it, encoded once
 * @param arguments the arguments
 */
public record BindingSnapshot(String source, String destination, boolean toQueue, String routingKey,
		String propertiesKey, Map<String, @Nullable Object> arguments) {

	public BindingDefinition model() {
		return new BindingDefinition(this.source, this.routingKey,
				this.toQueue ? DestinationType.QUEUE : DestinationType.EXCHANGE, this.destination);
	}

	public String description() {
		return "binding of %s '%s' to exchange '%s' with key '%s'".formatted(this.toQueue ? "queue" : "exchange",
				this.destination, this.source, this.routingKey);
	}

}
