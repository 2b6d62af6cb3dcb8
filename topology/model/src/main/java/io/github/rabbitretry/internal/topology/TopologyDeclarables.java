/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

import org.springframework.amqp.core.AbstractDeclarable;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;

/**
 * Renders a topology for Spring AMQP's {@code RabbitAdmin}.
 */
public final class TopologyDeclarables {

	private TopologyDeclarables() {
	}

	/**
	 * Renders exchanges, bindings, and queues but for existing ones. They ignore
	 * declaration exceptions, so that one mismatch does not keep the admin from declaring
	 * the rest, nor makes it try the whole over and over; who needs to know verifies.
	 * @param parts the parts
	 * @return their declarables
	 */
	public static Declarables of(TopologyParts parts) {
		List<AbstractDeclarable> declarables = new ArrayList<>();
		parts.exchanges()
			.forEach((model) -> declarables
				.add(new CustomExchange(model.name(), model.type(), true, false, new HashMap<>(model.arguments()))));
		parts.queues()
			.stream()
			.filter((model) -> !model.existing())
			.forEach((model) -> declarables
				.add(new Queue(model.name(), true, false, false, new HashMap<>(model.arguments()))));
		parts.bindings()
			.forEach((model) -> declarables
				.add(new Binding(model.destination(), model.type(), model.exchange(), model.routingKey(), null)));
		declarables.forEach((declarable) -> declarable.setIgnoreDeclarationExceptions(true));
		return new Declarables(declarables.toArray(Declarable[]::new));
	}

}
