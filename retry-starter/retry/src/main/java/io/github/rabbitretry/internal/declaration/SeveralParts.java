/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Declares many things without waiting for an answer to each. The broker answers only if
 * it refuses one, by closing the channel; which one that was is for others to find out,
 * one by one.
 */
final class SeveralParts {

	private final DeclaringChannel channel;

	SeveralParts(DeclaringChannel channel) {
		this.channel = channel;
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
	 * @param declaration declares one of them
	 * @return {@code false} if it refused one, and what followed was not even sent
	 */
	<T> boolean accepted(List<T> parts, Unanswered<T> declaration) {
		return this.channel.attempt((channel) -> {
			for (T part : parts) {
				declaration.send(channel, part);
			}
			// answered after all others
			channel.basicQos(1);
		}).isEmpty();
	}

	/** Of an exchange that is there, so that it is compared. */
	static void exchange(Channel channel, ExchangeDefinition model) throws IOException {
		channel.exchangeDeclareNoWait(model.name(), model.type(), true, false, false, model.arguments());
	}

	/** That creates none, see {@link PartVerifier}. */
	static void queue(Channel channel, QueueDefinition model) throws IOException {
		channel.queueDeclareNoWait(model.name(), true, false, false, PartVerifier.neverCreating(model));
	}

	static void binding(Channel channel, BindingDefinition model) throws IOException {
		if (model.type() == DestinationType.QUEUE) {
			channel.queueBindNoWait(model.destination(), model.exchange(), model.routingKey(), Map.of());
		}
		else {
			channel.exchangeBindNoWait(model.destination(), model.exchange(), model.routingKey(), Map.of());
		}
	}

	/**
	 * A declaration without an answer.
	 *
	 * @param <T> what is declared
	 */
	interface Unanswered<T> {

		void send(Channel channel, T part) throws IOException;

	}

}
