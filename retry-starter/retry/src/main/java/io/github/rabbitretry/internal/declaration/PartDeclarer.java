/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.broker.TopologyProblem;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Declares one thing after the other on one channel, or many without waiting for an
 * answer to each. The broker answers those only if it refuses one, by closing the
 * channel; which one that was is for others to find out, one by one.
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
			.attempt((channel) -> channel.queueDeclare(model.name(), true, false, false, model.arguments()))
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

	boolean exist(List<ExchangeDefinition> exchanges) {
		return this.channel.attempt((channel) -> {
			for (ExchangeDefinition exchange : exchanges) {
				channel.exchangeDeclarePassive(exchange.name());
			}
		}).isEmpty();
	}

	/**
	 * Whether the broker took all.
	 * @param <T> what is declared
	 * @param parts the parts
	 * @param declaration sends the declaration of one of them
	 * @return {@code false} if it refused one, and what followed was not even sent
	 */
	<T> boolean accepted(List<T> parts, NoWaitDeclaration<T> declaration) {
		return this.channel.attempt((channel) -> {
			for (T part : parts) {
				declaration.send(channel, part);
			}
			// answered after all others
			channel.basicQos(1);
		}).isEmpty();
	}

	/** For an exchange that is there, which is compared. */
	static void sendExchange(Channel channel, ExchangeDefinition model) throws IOException {
		channel.exchangeDeclareNoWait(model.name(), model.type(), true, false, false, model.arguments());
	}

	/** Creates none, see {@link PartVerifier}. */
	static void sendQueue(Channel channel, QueueDefinition model) throws IOException {
		channel.queueDeclareNoWait(model.name(), true, false, false, PartVerifier.neverCreating(model));
	}

	static void sendBinding(Channel channel, BindingDefinition model) throws IOException {
		if (model.type() == DestinationType.QUEUE) {
			channel.queueBindNoWait(model.destination(), model.exchange(), model.routingKey(), Map.of());
		}
		else {
			channel.exchangeBindNoWait(model.destination(), model.exchange(), model.routingKey(), Map.of());
		}
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

	/**
	 * A declaration without an answer.
	 *
	 * @param <T> what is declared
	 */
	interface NoWaitDeclaration<T> {

		void send(Channel channel, T part) throws IOException;

	}

}
