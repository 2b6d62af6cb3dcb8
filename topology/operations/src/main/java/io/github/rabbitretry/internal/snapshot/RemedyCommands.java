/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Writes commands for a shell: {@code rabbitmqctl}, and {@code curl} where that has none.
 * {@code RABBITMQ_ADMIN} stands for user and password, so that no secret is in them.
 *
 * @param url where the management API is
 * @param virtualHost the virtual host
 */
public record RemedyCommands(String url, String virtualHost) {

	/**
	 * Twice as long as RabbitMQ's intervals of statistics and of quorum queues' ticks.
	 */
	private static final int STATISTICS_SECONDS = 10;

	public String curl(String method, String kind, String rest, String body) {
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

	public String ctl(String command, String... words) {
		StringBuilder line = new StringBuilder("rabbitmqctl " + command + " -p " + ShellWord.quoted(this.virtualHost));
		for (String word : words) {
			line.append(' ').append(ShellWord.quoted(word));
		}
		return line.toString();
	}

	public String declare(QueueDefinition queue) {
		return curl("PUT", "queues", part(queue.name()),
				Json.write(ordered("durable", true, "arguments", new TreeMap<>(queue.arguments()))));
	}

	public String declare(ExchangeDefinition exchange) {
		return curl("PUT", "exchanges", part(exchange.name()), Json.write(
				ordered("type", exchange.type(), "durable", true, "arguments", new TreeMap<>(exchange.arguments()))));
	}

	/**
	 * Deletes a queue that nothing is bound to and that has had neither messages nor
	 * consumers for longer than the broker's numbers are old; fails otherwise.
	 * @param queue the queue
	 * @return the command
	 */
	public String deleteQueue(QueueSnapshot queue) {
		return "sleep %s && %s | grep -v '\"source\":\"[^\"]' && %s && %s".formatted(STATISTICS_SECONDS,
				look(part(queue.name()) + "/bindings?columns=source"), isUnused(queue), delete(queue));
	}

	/**
	 * Deletes queues with their bindings, and exchanges that nothing else is bound to; if
	 * one of the queues has messages or a consumer, none is deleted.
	 * @param queues the queues
	 * @param bindings bindings of other queues to remove
	 * @param exchanges the names of the exchanges
	 * @return the command
	 */
	public String deleteAll(List<QueueSnapshot> queues, List<BindingSnapshot> bindings, List<String> exchanges) {
		return Stream
			.of(Stream.of("sleep " + STATISTICS_SECONDS), queues.stream().map(this::isUnused),
					queues.stream().map(this::delete), bindings.stream().map(this::unbind),
					exchanges.stream().map((name) -> curl("DELETE", "exchanges", part(name) + "?if-unused=true", "")))
			.flatMap(Function.identity())
			.collect(Collectors.joining(" && "));
	}

	/** Without statistics RabbitMQ leaves numbers out, as after a node's start. */
	private String isUnused(QueueSnapshot queue) {
		return "%s | grep '\"consumers\":0[,}]' | grep '\"messages\":0[,}]'"
			.formatted(look(part(queue.name()) + "?columns=messages,consumers"));
	}

	/** Only classic queues can be deleted on a condition (RabbitMQ 4.0 to 4.3). */
	private String delete(QueueSnapshot queue) {
		return curl("DELETE", "queues",
				part(queue.name()) + (queue.type().equals("classic") ? "?if-empty=true&if-unused=true" : ""), "");
	}

	private String look(String rest) {
		return "curl -sS --fail -u \"$RABBITMQ_ADMIN\" " + ShellWord.quoted(address("queues", rest));
	}

	public String bind(BindingDefinition binding) {
		boolean queue = binding.type() == DestinationType.QUEUE;
		return curl("POST", "bindings",
				"/e%s/%s%s".formatted(part(binding.exchange()), queue ? "q" : "e", part(binding.destination())),
				Json.write(ordered("routing_key", binding.routingKey(), "arguments", Map.of())));
	}

	public String unbind(BindingSnapshot binding) {
		return curl("DELETE", "bindings",
				"/e%s/%s%s/%s".formatted(part(binding.source()), binding.toQueue() ? "q" : "e",
						part(binding.destination()),
						// encoded already, by RabbitMQ, which decodes it twice (4.0 to
						// 4.3)
						ManagementClient.encoded(binding.propertiesKey())),
				"");
	}

	/**
	 * A message whose queue is still not there comes back. A message that the shovel
	 * cannot publish ends it, and at most one message is published twice: with more in
	 * flight and reconnects it would publish the others again for ever. Without the
	 * plugin, there are no shovels to set.
	 */
	public List<String> moveUnroutable() {
		String uri = "amqp:///" + ManagementClient.encoded(this.virtualHost);
		return List.of("rabbitmq-plugins enable rabbitmq_shovel",
				ctl("set_parameter", "shovel", "bring-back",
						Json.write(ordered("src-protocol", "amqp091", "src-uri", uri, "src-queue",
								DelayLadder.UNROUTABLE, "dest-protocol", "amqp091", "dest-uri", uri, "dest-exchange",
								DelayLadder.EXIT, "src-delete-after", "queue-length", "src-prefetch-count", 1,
								"ack-mode", "on-confirm", "reconnect-delay", 0))));
	}

	/**
	 * Declares a missing queue with its bindings.
	 * @param queue the queue as it has to be
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return one command, so that nothing is run after something has failed
	 */
	public List<String> create(QueueDefinition queue, ExpectedTopology expected, BrokerSnapshot live) {
		List<String> commands = new ArrayList<>();
		commands.add(declare(queue));
		commands.addAll(bindings(queue, expected, live));
		return List.of(String.join(" && ", commands));
	}

	/**
	 * Replaces a queue of ours that is not used by others. It is unbound first, so that
	 * nothing arrives while the broker's numbers become true; its bindings come last, and
	 * are made again even where the queue turned out not to be empty.
	 * @param queue the queue as it has to be
	 * @param there the queue as it is
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return the commands, in this order
	 */
	public List<String> replace(QueueDefinition queue, QueueSnapshot there, ExpectedTopology expected,
			BrokerSnapshot live) {
		List<String> commands = new ArrayList<>();
		live.bindingsOf(queue.name()).forEach((binding) -> commands.add(unbind(binding)));
		commands.add(deleteQueue(there) + " && " + declare(queue));
		commands.addAll(bindings(queue, expected, live));
		return commands;
	}

	private List<String> bindings(QueueDefinition queue, ExpectedTopology expected, BrokerSnapshot live) {
		return expected.bindings()
			.stream()
			.filter((binding) -> binding.type() == DestinationType.QUEUE && binding.destination().equals(queue.name())
					&& live.isAsExpected(expected.exchanges().get(binding.exchange())))
			.map(this::bind)
			.toList();
	}

	/**
	 * Declares a missing exchange with its bindings.
	 * @param exchange the exchange as it has to be
	 * @param expected what message policies expect
	 * @param live what the broker has
	 * @return one command, so that nothing is run after something has failed
	 */
	public List<String> create(ExchangeDefinition exchange, ExpectedTopology expected, BrokerSnapshot live) {
		List<String> commands = new ArrayList<>();
		commands.add(declare(exchange));
		expected.bindings()
			.stream()
			.filter((binding) -> leads(binding, exchange.name(), expected, live) && live.hasEndsOf(binding, expected))
			.forEach((binding) -> commands.add(bind(binding)));
		return List.of(String.join(" && ", commands));
	}

	/** What is missing at the other end and comes later brings its own bindings. */
	private static boolean leads(BindingDefinition binding, String exchange, ExpectedTopology expected,
			BrokerSnapshot live) {
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

	public static Map<String, Object> ordered(Object... namesAndValues) {
		Map<String, Object> object = new LinkedHashMap<>();
		for (int index = 0; index < namesAndValues.length; index += 2) {
			object.put(namesAndValues[index].toString(), namesAndValues[index + 1]);
		}
		return object;
	}

}
