/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.RemedyCommands;
import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * Commands that lead messages from one queue to another. Each may be run again.
 *
 * @param remedies how commands are written
 */
record PlanCommands(RemedyCommands remedies) {

	/** No other application's queues and exchanges have it. */
	static final String MARK = "rabbit-retry-stands-for";

	/**
	 * Longer than the intervals at which RabbitMQ renews its numbers: what is unbound for
	 * so long and empty stays empty.
	 */
	static final String WAIT = "sleep 10";

	static final String PLUGIN = "rabbitmq-plugins enable rabbitmq_shovel";

	static Map<String, Object> standIn(String queue) {
		return new TreeMap<>(
				Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-delivery-limit", -1, MARK, queue));
	}

	String declareQueue(String name, Map<String, Object> arguments) {
		return this.remedies.curl("PUT", "queues", RemedyCommands.part(name),
				Json.write(RemedyCommands.ordered("durable", true, "arguments", new TreeMap<>(arguments))));
	}

	String bind(BindingSnapshot binding, String queue) {
		return this.remedies.curl("POST", "bindings",
				"/e%s/q%s".formatted(RemedyCommands.part(binding.source()), RemedyCommands.part(queue)), Json.write(
						RemedyCommands.ordered("routing_key", binding.routingKey(), "arguments", binding.arguments())));
	}

	/**
	 * Leads to another queue what led to one.
	 * @param binding how messages were led
	 * @param from the queue that gets them no more
	 * @param into the queue that gets them
	 * @return one command, so that nothing is unbound before another queue is bound
	 */
	String lead(BindingSnapshot binding, String from, String into) {
		return bind(binding, into) + " && " + unbind(binding, from);
	}

	String unbind(BindingSnapshot binding, String queue) {
		return delete("bindings", "/e%s/q%s/%s".formatted(RemedyCommands.part(binding.source()),
				RemedyCommands.part(queue), ManagementClient.encoded(binding.propertiesKey())));
	}

	/**
	 * Moves messages. A fanout exchange of its own keeps their routing keys, and sends
	 * none to the queues that a {@code CC} header names. A message that the shovel cannot
	 * publish ends it, and at most one is published twice.
	 * @param from the queue that the messages are in
	 * @param into the queue that gets them
	 * @return one command, so that nothing is moved to where nothing is bound
	 */
	String move(String from, String into) {
		return String.join(" && ",
				this.remedies.curl("PUT", "exchanges", RemedyCommands.part(MessageTopology.movesTo(into)),
						Json.write(RemedyCommands.ordered("type", "fanout", "durable", true, "arguments",
								Map.of(MARK, into)))),
				bind(own(into), into),
				this.remedies.shovel("rabbit-retry-" + from, from, MessageTopology.movesTo(into)));
	}

	/** Of the exchange that messages are moved through. */
	private static BindingSnapshot own(String into) {
		return new BindingSnapshot(MessageTopology.movesTo(into), into, true, "", "~", Map.of());
	}

	/**
	 * Removes the exchange that messages are moved through, unless some still are: the
	 * broker would confirm and drop them.
	 * @param into the queue that gets them
	 * @param from the queues that they come from
	 * @return one command
	 */
	String removeExchange(String into, Collection<String> from) {
		List<String> commands = new ArrayList<>();
		from.forEach((queue) -> commands.add("{ %s | grep -qx 404 || %s | grep '\"consumers\":0[,}]'; }".formatted(
				status("GET", "queues", RemedyCommands.part(queue)),
				this.remedies.look(RemedyCommands.part(queue) + "?columns=consumers"))));
		commands.add(unbind(own(into), into));
		commands.add(delete("exchanges", RemedyCommands.part(MessageTopology.movesTo(into)) + "?if-unused=true"));
		return String.join(" && ", commands);
	}

	/**
	 * Deletes a queue if nothing is bound to it and it has neither messages nor
	 * consumers; fails otherwise. Quorum queues cannot be deleted on a condition
	 * (RabbitMQ 4.0 to 4.3), and the broker's numbers are some seconds old: a get finds
	 * what arrived since.
	 * @param name the queue
	 * @param classic whether it is a classic queue
	 * @return the command
	 */
	String deleteQueue(String name, boolean classic) {
		String path = RemedyCommands.part(name);
		String get = this.remedies.curl("POST", "queues", path + "/get",
				"{\"count\":1,\"ackmode\":\"ack_requeue_true\",\"encoding\":\"base64\"}");
		return "%s | grep -qx 404 || { %s | grep -v '\"source\":\"[^\"]' && %s | grep '\"consumers\":0[,}]' | grep '\"messages\":0[,}]' && %s | grep -x '\\[\\]' && %s; }"
			.formatted(status("GET", "queues", path), this.remedies.look(path + "/bindings?columns=source"),
					this.remedies.look(path + "?columns=messages,consumers"), get, this.remedies.curl("DELETE",
							"queues", path + (classic ? "?if-empty=true&if-unused=true" : ""), ""));
	}

	/** What is gone already need not be deleted. */
	private String delete(String kind, String path) {
		return status("DELETE", kind, path) + " | grep -E '204|404'";
	}

	private String status(String method, String kind, String path) {
		return "curl -sS -o /dev/null -w '%%{http_code}' -u \"$RABBITMQ_ADMIN\" -X %s %s".formatted(method,
				ShellWord.quoted(this.remedies.address(kind, path)));
	}

}
