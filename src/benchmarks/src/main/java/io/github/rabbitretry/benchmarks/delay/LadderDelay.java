/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.io.IOException;
import java.time.Duration;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.topology.DelayRoute;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Ours: a shared ring, of queues with one fixed time to live each.
 */
final class LadderDelay implements DelayMechanism {

	private final MessageTopology topology = MessageTopology.of("delays.ladder").ring(RetryQueueScope.SHARED).build();

	@Override
	public String name() {
		return "fixed TTL per queue (Rabbit Retry, shared ring)";
	}

	@Override
	public String workQueue() {
		return this.topology.queue();
	}

	@Override
	public void declare(Channel channel) throws IOException {
		for (ExchangeDefinition exchange : this.topology.exchanges()) {
			channel.exchangeDeclare(exchange.name(), exchange.type(), true, false, exchange.arguments());
		}
		for (QueueDefinition queue : this.topology.queues()) {
			channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
		}
		for (BindingDefinition binding : this.topology.bindings()) {
			if (binding.type() == DestinationType.QUEUE) {
				channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
			else {
				channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
		}
	}

	@Override
	public void send(Channel channel, BasicProperties.Builder properties, Duration delay) throws IOException {
		DelayRoute route = this.topology.route(delay);
		channel.basicPublish(route.exchange(), route.routingKey(), true, properties.build(), new byte[0]);
	}

}
