/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.BindingReader;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.management.QueueLists;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Reads from the management API what is on the broker. AMQP can't list anything.
 */
final class LiveTopologyReader {

	private static final int ATTEMPTS = 5;

	private static final String QUEUE_COLUMNS = "name,durable,auto_delete,exclusive,arguments,state";

	private static final long BETWEEN_ATTEMPTS = 500_000_000;

	private final ManagementClient client;

	LiveTopologyReader(ManagementClient client) {
		this.client = client;
	}

	/**
	 * Reads all of the virtual host.
	 * @return its queues, exchanges and bindings, and what its policies name
	 * @throws ManagementUnavailableException if they can't be found out
	 */
	LiveTopology read() {
		BindingReader.Bindings bindings = new BindingReader(this.client.virtualHost(), this::answer).all();
		List<Route> routes = bindings.read()
			.stream()
			.map((entry) -> route(table(entry)))
			.filter((route) -> !route.exchange().isEmpty())
			.toList();
		return LiveTopology.of(
				entries("queues?%s&columns=%s".formatted(QueueLists.ALL, QUEUE_COLUMNS), LiveTopologyReader::queue),
				entries("exchanges?columns=name,type,durable,auto_delete,arguments", LiveTopologyReader::exchange),
				routes, bindings.unreadable(),
				Stream.of("policies", "operator-policies")
					.flatMap((kind) -> entries(kind, LiveTopologyReader::exchangesOfPolicy).stream())
					.flatMap(List::stream)
					.distinct()
					.toList());
	}

	/**
	 * Whatever it applies to: dead-lettering is no binding, so that nothing else tells.
	 */
	private static List<String> exchangesOfPolicy(Map<String, @Nullable Object> entry) {
		Map<String, @Nullable Object> definition = table(entry.get("definition"));
		return Stream.of("dead-letter-exchange", "alternate-exchange")
			.map((key) -> text(definition, key))
			.filter((name) -> !name.isEmpty())
			.toList();
	}

	/**
	 * Looks at one queue, and not at what is in it.
	 * @param name its name
	 * @return the queue, empty if it is not there
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	Optional<SeenQueue> queue(String name) {
		return find(List.of(name), QueueLists.ALL, QUEUE_COLUMNS).stream()
			.map((entry) -> queue(table(entry)))
			.findFirst();
	}

	/**
	 * Looks at how full queues are.
	 * @param names their names
	 * @return what is seen of those that are there and answer
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	List<SeenDepth> depths(Collection<String> names) {
		return find(names, QueueLists.TOTALS, "name,messages,leader,node").stream().map((entry) -> {
			Map<String, @Nullable Object> queue = table(entry);
			String leader = text(queue, "leader");
			return new SeenDepth(text(queue, "name"), leader.isEmpty() ? text(queue, "node") : leader, messages(queue));
		}).toList();
	}

	private List<Map<?, ?>> find(Collection<String> names, String list, String columns) {
		return answered(() -> Optional.of(new QueueLists(this.client).find(names, list, columns))).orElseThrow();
	}

	/**
	 * Looks at the bindings of one queue.
	 * @param name its name
	 * @return the bindings, but for that of the default exchange
	 * @throws ManagementUnavailableException if they can't be found out
	 */
	List<Route> routesTo(String name) {
		String path = "/api/queues/%s/%s/bindings".formatted(ManagementClient.encoded(this.client.virtualHost()),
				ManagementClient.encoded(name));
		return list(answer(path), "bindings", LiveTopologyReader::route).stream()
			.filter((route) -> !route.exchange().isEmpty())
			.toList();
	}

	private <T> List<T> entries(String kind, Function<Map<String, @Nullable Object>, T> reader) {
		return list(answered(() -> Optional.ofNullable(this.client.list(kind))).orElse(null), kind, reader);
	}

	private @Nullable Object answer(String path) {
		return answered(() -> Optional.ofNullable(this.client.read(path))).orElse(null);
	}

	/** A busy broker may take longer than the client waits, and a migration has time. */
	private static <T> Optional<T> answered(Supplier<Optional<T>> question) {
		for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
			try {
				return question.get();
			}
			catch (ManagementUnavailableException ex) {
				if (ex.status() != 0) {
					throw ex;
				}
				LockSupport.parkNanos(BETWEEN_ATTEMPTS);
			}
		}
		return question.get();
	}

	private static <T> List<T> list(@Nullable Object answer, String kind,
			Function<Map<String, @Nullable Object>, T> reader) {
		if (!(answer instanceof List<?> entries)) {
			throw new ManagementUnavailableException("%s: a list expected".formatted(kind));
		}
		return entries.stream().map((entry) -> reader.apply(table(entry))).toList();
	}

	private static SeenQueue queue(Map<String, @Nullable Object> entry) {
		return new SeenQueue(text(entry, "name"), is(entry, "durable"),
				is(entry, "auto_delete") || is(entry, "exclusive"), QueueLists.isAvailable(text(entry, "state")),
				table(entry.get("arguments")));
	}

	private static long messages(Map<String, @Nullable Object> queue) {
		return (queue.get("messages") instanceof Number number) ? number.longValue() : -1;
	}

	private static SeenExchange exchange(Map<String, @Nullable Object> entry) {
		return new SeenExchange(text(entry, "name"), text(entry, "type"),
				is(entry, "durable") && !is(entry, "auto_delete"), known(table(entry.get("arguments"))));
	}

	static Route route(Map<String, @Nullable Object> entry) {
		Map<String, @Nullable Object> arguments = table(entry.get("arguments"));
		// or it would be forgotten
		arguments.replaceAll((name, value) -> (value != null) ? value : BindingReader.VOID);
		return new Route(text(entry, "source"), text(entry, "routing_key"), known(arguments),
				text(entry, "destination_type").equals("exchange") ? DestinationType.EXCHANGE : DestinationType.QUEUE,
				text(entry, "destination"));
	}

	private static boolean is(Map<String, @Nullable Object> entry, String name) {
		return Boolean.TRUE.equals(entry.get(name));
	}

	private static String text(Map<String, @Nullable Object> entry, String name) {
		return (entry.get(name) instanceof String text) ? text : "";
	}

	private static Map<String, Object> known(Map<String, @Nullable Object> table) {
		return SeenQueue.comparable(table);
	}

	/** An empty table may be written as an empty list. */
	private static Map<String, @Nullable Object> table(@Nullable Object value) {
		Map<String, @Nullable Object> table = new LinkedHashMap<>();
		if (value instanceof Map<?, ?> given) {
			given.forEach((key, each) -> table.put(String.valueOf(key), each));
		}
		return table;
	}

}
