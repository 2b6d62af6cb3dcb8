/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.connection.RefusableChannel;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * Finds what is missing by passive declarations, which the broker does not log if all is
 * there; and of what was wrong before, what still is. RabbitMQ 4.2.6 and 4.3.0 want the
 * permission to configure a queue for that: what one may not ask about is not asked
 * again.
 */
final class MissingPartsCheck {

	/** Each is an error in the broker's log. */
	private static final int MOST_MISSING = 20;

	private final TopologyParts parts;

	private final TopologyMode mode;

	private final Set<String> notPermitted = ConcurrentHashMap.newKeySet();

	MissingPartsCheck(TopologyParts parts, TopologyMode mode) {
		this.parts = parts;
		this.mode = mode;
	}

	/**
	 * Looks.
	 * @param connection to the broker
	 * @param known what was wrong before
	 * @return what is wrong now, as far as that can be found out
	 * @throws org.springframework.amqp.AmqpException if the connection went away
	 */
	List<TopologyProblem> problems(Connection connection, List<TopologyProblem> known) {
		List<TopologyProblem> problems = missing(connection);
		Set<String> suspects = known.stream().map(TopologyProblem::what).collect(Collectors.toSet());
		problems.forEach((problem) -> suspects.remove(problem.what()));
		if (!suspects.isEmpty()) {
			problems.addAll(new TopologyDeclarer(connection, TopologyMode.VERIFY)
				.run(new TopologyParts(named(suspects, this.parts.exchanges(), PartDeclarer::name),
						named(suspects, this.parts.queues(), PartDeclarer::name), List.of()), false));
			if (this.mode == TopologyMode.DECLARE) {
				// a binding can only be declared, which is no change if it is there
				problems.addAll(new TopologyDeclarer(connection, TopologyMode.DECLARE).run(new TopologyParts(List.of(),
						List.of(), named(suspects, this.parts.bindings(), PartDeclarer::name)), true));
			}
		}
		return problems;
	}

	private static <T> List<T> named(Set<String> names, List<T> parts, Function<T, String> name) {
		return parts.stream().filter((part) -> names.contains(name.apply(part))).toList();
	}

	private List<TopologyProblem> missing(Connection connection) {
		List<TopologyProblem> missing = new ArrayList<>();
		try (RefusableChannel channel = new RefusableChannel(connection)) {
			for (ExchangeDefinition model : this.parts.exchanges()) {
				look(PartDeclarer.name(model), false, channel, (open) -> open.exchangeDeclarePassive(model.name()),
						missing);
			}
			for (QueueDefinition model : this.parts.queues()) {
				look(PartDeclarer.name(model), model.existing(), channel,
						(open) -> open.queueDeclarePassive(model.name()), missing);
			}
		}
		return missing;
	}

	private void look(String what, boolean existing, RefusableChannel channel, RefusableChannel.Operation question,
			List<TopologyProblem> missing) {
		if (missing.size() >= MOST_MISSING || this.notPermitted.contains(what)) {
			return;
		}
		channel.attempt(question).ifPresent((why) -> {
			if (why.code() == AMQP.NOT_FOUND) {
				missing.add(problem(what, existing, why.text()));
			}
			else {
				this.notPermitted.add(what);
			}
		});
	}

	private TopologyProblem problem(String what, boolean existing, String text) {
		if (TopologyProblem.isUnavailable(text)) {
			return TopologyProblem.unavailable(what, text);
		}
		if (existing) {
			return TopologyProblem.missingExisting(what);
		}
		return (this.mode == TopologyMode.DECLARE) ? new TopologyProblem(what, "it does not exist",
				"Start an instance of the application again, which declares it; or run what the topology doctor prints.")
				: TopologyProblem.missing(what);
	}

}
