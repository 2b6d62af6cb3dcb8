/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.Optional;

import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.broker.TopologyProblem;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Declares one thing after the other on one channel.
 */
final class PartDeclarer {

	private final DeclaringChannel channel;

	PartDeclarer(DeclaringChannel channel) {
		this.channel = channel;
	}

	Optional<TopologyProblem> exchange(ExchangeDefinition model) {
		return this.channel
			.attempt((channel) -> channel.exchangeDeclare(model.name(), model.type(), true, false, model.arguments()))
			.map((refusal) -> problem(name(model), refusal));
	}

	Optional<TopologyProblem> queue(QueueDefinition model) {
		return this.channel
			.attempt((channel) -> channel.queueDeclare(model.name(), true, false, false, model.declaredArguments()))
			.map((refusal) -> problem(name(model), refusal));
	}

	Optional<TopologyProblem> binding(BindingDefinition model) {
		return this.channel.attempt((channel) -> {
			if (model.type() == DestinationType.QUEUE) {
				channel.queueBind(model.destination(), model.exchange(), model.routingKey());
			}
			else {
				channel.exchangeBind(model.destination(), model.exchange(), model.routingKey());
			}
		}).map((refusal) -> problem(name(model), refusal));
	}

	static String name(ExchangeDefinition model) {
		return "exchange '%s'".formatted(model.name());
	}

	static String name(QueueDefinition model) {
		return "queue '%s'".formatted(model.name());
	}

	static String name(BindingDefinition model) {
		return "binding of %s '%s' to exchange '%s' with key '%s'".formatted(
				(model.type() == DestinationType.QUEUE) ? "queue" : "exchange", model.destination(), model.exchange(),
				model.routingKey());
	}

	static TopologyProblem problem(String what, DeclaringChannel.Refusal refusal) {
		return TopologyProblem.refused(what, refusal.code(), refusal.text());
	}

}
