/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.Optional;

import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
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

	Optional<TopologyProblem> exchange(ExchangeModel model) {
		return this.channel
			.attempt((channel) -> channel.exchangeDeclare(model.name(), model.type(), true, false, model.arguments()))
			.map((refusal) -> problem(name(model), refusal));
	}

	Optional<TopologyProblem> queue(QueueModel model) {
		return this.channel
			.attempt((channel) -> channel.queueDeclare(model.name(), true, false, false, model.declaredArguments()))
			.map((refusal) -> problem(name(model), refusal));
	}

	Optional<TopologyProblem> binding(BindingModel model) {
		return this.channel.attempt((channel) -> {
			if (model.type() == DestinationType.QUEUE) {
				channel.queueBind(model.destination(), model.exchange(), model.routingKey());
			}
			else {
				channel.exchangeBind(model.destination(), model.exchange(), model.routingKey());
			}
		}).map((refusal) -> problem(name(model), refusal));
	}

	static String name(ExchangeModel model) {
		return "exchange '%s'".formatted(model.name());
	}

	static String name(QueueModel model) {
		return "queue '%s'".formatted(model.name());
	}

	static String name(BindingModel model) {
		return "binding of %s '%s' to exchange '%s' with key '%s'".formatted(
				(model.type() == DestinationType.QUEUE) ? "queue" : "exchange", model.destination(), model.exchange(),
				model.routingKey());
	}

	static TopologyProblem problem(String what, DeclaringChannel.Refusal refusal) {
		return TopologyProblem.refused(what, refusal.code(), refusal.text());
	}

}
