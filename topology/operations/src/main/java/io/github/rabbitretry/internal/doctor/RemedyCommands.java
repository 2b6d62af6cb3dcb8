/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Writes commands for a shell: {@code rabbitmqctl}, and {@code curl} where that has none.
 * {@code RABBITMQ_ADMIN} stands for user and password, so that no secret is in them.
 *
 * @param url where the management API is
 * @param virtualHost the virtual host
 */
record RemedyCommands(String url, String virtualHost) {

	private String curl(String method, String kind, String rest, String body) {
		return "curl -sS --fail-with-body -u \"$RABBITMQ_ADMIN\" -X %s %s%s".formatted(method,
				ShellWord.quoted(address(kind, rest)),
				body.isEmpty() ? "" : " -H 'content-type: application/json' -d " + ShellWord.quoted(body));
	}

	private String address(String kind, String rest) {
		return "%s/api/%s/%s%s".formatted(this.url, kind, ManagementClient.encoded(this.virtualHost), rest);
	}

	private static String part(String name) {
		return "/" + ManagementClient.encoded(name);
	}

	String ctl(String command, String... words) {
		StringBuilder line = new StringBuilder("rabbitmqctl " + command + " -p " + ShellWord.quoted(this.virtualHost));
		for (String word : words) {
			line.append(' ').append(ShellWord.quoted(word));
		}
		return line.toString();
	}

	String declare(QueueModel queue) {
		return curl("PUT", "queues", part(queue.name()),
				Json.write(ordered("durable", true, "arguments", new TreeMap<>(queue.declaredArguments()))));
	}

	String declare(ExchangeModel exchange) {
		return curl("PUT", "exchanges", part(exchange.name()), Json.write(
				ordered("type", exchange.type(), "durable", true, "arguments", new TreeMap<>(exchange.arguments()))));
	}

	/**
	 * Deletes a queue that has neither messages nor consumers, and fails otherwise. Only
	 * classic queues can be deleted on that condition (RabbitMQ 4.0 to 4.3); others are
	 * looked at right before.
	 * @param queue the queue
	 * @return the command
	 */
	String deleteQueue(LiveQueue queue) {
		if (queue.type().equals("classic")) {
			return curl("DELETE", "queues", part(queue.name()) + "?if-empty=true&if-unused=true", "");
		}
		// without statistics RabbitMQ leaves numbers out, as after a node's start
		return "curl -sS --fail -u \"$RABBITMQ_ADMIN\" %s | grep '\"consumers\":0[,}]' | grep '\"messages\":0[,}]' && %s"
			.formatted(ShellWord.quoted(address("queues", part(queue.name()) + "?columns=messages,consumers")),
					curl("DELETE", "queues", part(queue.name()), ""));
	}

	String deleteExchange(String exchange) {
		return curl("DELETE", "exchanges", part(exchange) + "?if-unused=true", "");
	}

	String bind(BindingModel binding) {
		return bind(binding, Map.of());
	}

	private String bind(BindingModel binding, Map<String, ?> arguments) {
		boolean queue = binding.type() == DestinationType.QUEUE;
		return curl("POST", "bindings",
				"/e%s/%s%s".formatted(part(binding.exchange()), queue ? "q" : "e", part(binding.destination())),
				Json.write(ordered("routing_key", binding.routingKey(), "arguments", new TreeMap<>(arguments))));
	}

	String bind(LiveBinding binding) {
		return bind(binding.model(), binding.arguments());
	}

	String unbind(LiveBinding binding) {
		return curl("DELETE", "bindings",
				"/e%s/%s%s/%s".formatted(part(binding.source()), binding.toQueue() ? "q" : "e",
						part(binding.destination()),
						// encoded already, by RabbitMQ, which decodes it twice (4.0 to
						// 4.3)
						ManagementClient.encoded(binding.propertiesKey())),
				"");
	}

	/**
	 * A message whose queue is still not there comes back. Without the plugin, there are
	 * no shovels to set.
	 */
	List<String> moveUnroutable() {
		String uri = "amqp:///" + ManagementClient.encoded(this.virtualHost);
		return List.of("rabbitmq-plugins enable rabbitmq_shovel",
				ctl("set_parameter", "shovel", "bring-back",
						Json.write(ordered("src-protocol", "amqp091", "src-uri", uri, "src-queue",
								DelayLadder.UNROUTABLE, "dest-protocol", "amqp091", "dest-uri", uri, "dest-exchange",
								DelayLadder.EXIT, "src-delete-after", "queue-length"))));
	}

	String closeConnection(String connection) {
		return "curl -sS --fail-with-body -u \"$RABBITMQ_ADMIN\" -X DELETE "
				+ ShellWord.quoted("%s/api/connections%s".formatted(this.url, part(connection)));
	}

	/**
	 * Deletes an empty queue and makes it anew, with all its bindings.
	 * @param queue the queue as it has to be
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return the commands, and what they can't restore
	 */
	Recreation recreate(QueueModel queue, ExpectedTopology expected, LiveBroker live) {
		List<String> commands = new ArrayList<>();
		LiveQueue there = live.queues().get(queue.name());
		if (queue.minimal()) {
			// before anything is deleted: it takes another program, which may be missing
			commands.addAll(new PolicyExamination(expected.topologies()).requiredCommands(List.of(queue.name()),
					live.policies(), this.virtualHost));
		}
		if (there != null) {
			commands.add(deleteQueue(there));
		}
		commands.add(declare(queue));
		Set<String> bindings = new LinkedHashSet<>();
		expected.bindings()
			.stream()
			.filter((binding) -> binding.type() == DestinationType.QUEUE && binding.destination().equals(queue.name()))
			.forEach((binding) -> bindings.add(bind(binding)));
		List<LiveBinding> before = live.bindingsOf(queue.name());
		before.forEach((binding) -> bindings.add(bind(binding)));
		commands.addAll(bindings);
		return recreation(commands, before, live.unreadableOfQueue(queue.name()), there == null || live.allBindings());
	}

	/**
	 * Makes an exchange anew, with all its bindings.
	 * @param exchange the exchange as it has to be
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return the commands, and what they can't restore
	 */
	Recreation recreate(ExchangeModel exchange, ExpectedTopology expected, LiveBroker live) {
		List<String> commands = new ArrayList<>();
		boolean there = live.exchanges().containsKey(exchange.name());
		List<LiveBinding> before = live.bindings()
			.stream()
			.filter((binding) -> binding.source().equals(exchange.name())
					|| !binding.toQueue() && binding.destination().equals(exchange.name()))
			.toList();
		if (there) {
			// it is used while it leads anywhere, and unbinding it first could end
			// halfway
			commands.add(curl("DELETE", "exchanges", part(exchange.name()), ""));
		}
		commands.add(declare(exchange));
		Set<String> bindings = new LinkedHashSet<>();
		expected.bindings()
			.stream()
			.filter((binding) -> leads(binding, exchange.name(), expected, live))
			.forEach((binding) -> bindings.add(bind(binding)));
		before.forEach((binding) -> bindings.add(bind(binding)));
		commands.addAll(bindings);
		return recreation(commands, before, live.unreadableOfExchange(exchange.name()), !there || live.allBindings());
	}

	/** One command, so that none is run where the one before has failed. */
	private Recreation recreation(List<String> commands, List<LiveBinding> before, List<UnreadableBinding> unreadable,
			boolean allKnown) {
		List<String> lost = new ArrayList<>();
		if (!allKnown) {
			lost.add("bindings that were not read, see what is not examined");
		}
		before.stream()
			.filter((binding) -> !binding.restorable())
			.forEach((binding) -> lost
				.add("the %s and arguments %s".formatted(binding.description(), Json.write(binding.arguments()))));
		unreadable.forEach((binding) -> lost.add("the " + binding.description()));
		return new Recreation(List.of(String.join(" && ", commands)), lost, ctl("list_bindings"));
	}

	/** What is missing at the other end and comes later brings its own bindings. */
	private static boolean leads(BindingModel binding, String exchange, ExpectedTopology expected, LiveBroker live) {
		if (binding.type() == DestinationType.QUEUE) {
			return binding.exchange().equals(exchange) && live.queues().containsKey(binding.destination());
		}
		if (!binding.exchange().equals(exchange) && !binding.destination().equals(exchange)) {
			return false;
		}
		String other = binding.exchange().equals(exchange) ? binding.destination() : binding.exchange();
		List<String> order = List.copyOf(expected.exchanges().keySet());
		return live.exchanges().containsKey(other) || order.indexOf(other) < order.indexOf(exchange);
	}

	private static Map<String, Object> ordered(Object... namesAndValues) {
		Map<String, Object> object = new LinkedHashMap<>();
		for (int index = 0; index < namesAndValues.length; index += 2) {
			object.put(namesAndValues[index].toString(), namesAndValues[index + 1]);
		}
		return object;
	}

}
