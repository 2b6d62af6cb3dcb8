/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.management.BindingReader;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.management.QueueLists;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
import org.jspecify.annotations.Nullable;

/**
 * Reads a virtual host through few lists of the management API, without statistics, which
 * lag behind and are slow where there are thousands of queues. What a user with the tag
 * {@code management} may read is required; anything else is noted if it can't be read.
 */
final class BrokerSnapshotReader {

	/** The API allows no more. */
	private static final int PAGE = 500;

	private static final int MOST_PAGES = 40;

	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(25);

	/**
	 * Longer than the interval at which quorum queues tell how many messages they have.
	 */
	private static final long SECOND_LOOK_NANOS = TimeUnit.SECONDS.toNanos(6);

	private static final int MOST_SECOND_LOOKS = 20;

	private static final String QUEUE_COLUMNS = "name,type,durable,auto_delete,exclusive,arguments,messages,"
			+ "messages_ready,messages_unacknowledged,state,node,leader,members,online";

	private final ManagementClient client;

	private final ExpectedTopology expected;

	private final long deadline = System.nanoTime() + LONGEST_NANOS;

	private final List<String> unexamined = new ArrayList<>();

	private boolean allQueues = true;

	private boolean allBindings = true;

	private long queueCount;

	BrokerSnapshotReader(ManagementClient client, ExpectedTopology expected) {
		this.client = client;
		this.expected = expected;
	}

	/**
	 * Reads.
	 * @return the virtual host
	 * @throws ManagementUnavailableException if not even queues, exchanges, bindings and
	 * policies can be read
	 */
	BrokerSnapshot read() {
		Map<String, QueueSnapshot> queues = new LinkedHashMap<>();
		queues().forEach((queue) -> queues.put(queue.name(), queue));
		Map<String, ExchangeSnapshot> exchanges = new LinkedHashMap<>();
		exchanges().forEach((exchange) -> exchanges.put(exchange.name(), exchange));
		BindingReader.Bindings bindings = bindings(exchanges);
		bindings.unreadable().forEach((unreadable) -> this.unexamined.add(unreadable.description()));
		inTime();
		BrokerPolicies policies = PolicyExamination.policies(this.client);
		Optional<List<ConsumerSnapshot>> consumers = Optional
			.ofNullable(this.<@Nullable List<ConsumerSnapshot>>optional("consumers", this::consumers, null));
		Map<String, ConnectionSnapshot> connections = optional("connections", this::connections, Map.of());
		@Nullable UserSnapshot user = optional("permissions and limits of the application's user", this::user, null);
		List<String> alarms = optional("alarms", this::alarms, List.of());
		Map<String, Long> limits = optional("limits of the virtual host", this::limits, Map.of());
		String version = optional("the broker's version",
				() -> JsonRows.ofObject(this.client.read("/api/overview?columns=rabbitmq_version"))
					.text("rabbitmq_version"),
				"");
		lookAgain(queues);
		return new BrokerSnapshot(this.client.virtualHost(), this.client.url(), version, queues,
				Math.max(this.queueCount, queues.size()), exchanges,
				bindings.read().stream().map(BrokerSnapshotReader::binding).toList(), this.allBindings,
				bindings.unreadable(), policies, consumers, connections, user, alarms, limits,
				List.copyOf(this.unexamined));
	}

	private void inTime() {
		if (System.nanoTime() - this.deadline > 0) {
			throw new ManagementUnavailableException(
					"%s: the answers took %d s already".formatted(this.client.url(), LONGEST_NANOS / 1_000_000_000));
		}
	}

	private <T extends @Nullable Object> T optional(String what, Supplier<T> question, T otherwise) {
		try {
			inTime();
			return question.get();
		}
		catch (ManagementUnavailableException ex) {
			this.unexamined.add("%s: %s".formatted(what, ex.getMessage()));
			return otherwise;
		}
	}

	private List<QueueSnapshot> queues() {
		List<QueueSnapshot> queues = queues(QueueLists.TOTALS);
		if (!this.allQueues) {
			return ours();
		}
		Set<String> counted = queues.stream().map(QueueSnapshot::name).collect(Collectors.toSet());
		inTime();
		// those whose nodes are down have no numbers
		boolean complete = JsonRows.of(this.client.list("queues?%s&columns=name".formatted(QueueLists.ALL)))
			.stream()
			.allMatch((row) -> counted.contains(row.text("name")));
		if (!complete) {
			queues(QueueLists.ALL).stream().filter((queue) -> !counted.contains(queue.name())).forEach(queues::add);
		}
		return queues;
	}

	private List<QueueSnapshot> queues(String list) {
		List<QueueSnapshot> queues = new ArrayList<>();
		long pages = 1;
		for (int page = 1; page <= pages; page++) {
			inTime();
			JsonRows answer = JsonRows.ofObject(this.client
				.list("queues?page=%d&page_size=%d&%s&columns=%s".formatted(page, PAGE, list, QUEUE_COLUMNS)));
			this.queueCount = answer.number("total_count");
			pages = answer.number("page_count");
			if (pages > MOST_PAGES) {
				this.unexamined
					.add("queues that no policy expects: the virtual host has %d queues".formatted(this.queueCount));
				this.allQueues = false;
				return List.of();
			}
			JsonRows.of(answer.members().get("items")).forEach((row) -> queues.add(queue(row)));
		}
		return queues;
	}

	private List<QueueSnapshot> ours() {
		List<String> names = Stream
			.concat(this.expected.parts().queues().stream().map(QueueModel::name), Stream.of(DelayLadder.UNROUTABLE))
			.distinct()
			.toList();
		Map<String, QueueSnapshot> queues = new LinkedHashMap<>();
		find(names, QueueLists.ALL).forEach((queue) -> queues.put(queue.name(), queue));
		find(names, QueueLists.TOTALS).forEach((queue) -> queues.put(queue.name(), queue));
		return List.copyOf(queues.values());
	}

	private List<QueueSnapshot> find(List<String> names, String list) {
		inTime();
		return new QueueLists(this.client).find(names, list, QUEUE_COLUMNS)
			.stream()
			.map((row) -> queue(new JsonRows(row)))
			.toList();
	}

	private static QueueSnapshot queue(JsonRows row) {
		return new QueueSnapshot(row.text("name"), row.text("type"), row.is("durable"),
				row.is("auto_delete") || row.is("exclusive"), row.map("arguments"), row.count("messages"),
				row.number("messages_ready"), row.number("messages_unacknowledged"), row.text("state"),
				row.textOrNull("leader"), row.texts(row.members().containsKey("members") ? "members" : "node"),
				row.texts("online"));
	}

	private List<ExchangeSnapshot> exchanges() {
		String columns = "?disable_stats=true&columns=name,type,durable,auto_delete,internal,arguments";
		try {
			inTime();
			return JsonRows.of(this.client.list("exchanges" + columns))
				.stream()
				.map(BrokerSnapshotReader::exchange)
				.toList();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 0) {
				throw ex;
			}
			this.unexamined.add("exchanges that no policy expects: " + ex.getMessage());
		}
		List<ExchangeSnapshot> exchanges = new ArrayList<>();
		for (ExchangeModel model : this.expected.parts().exchanges()) {
			inTime();
			this.client.find("exchanges", model.name(), columns)
				.ifPresent((answer) -> exchanges.add(exchange(JsonRows.ofObject(answer))));
		}
		return exchanges;
	}

	private static ExchangeSnapshot exchange(JsonRows row) {
		return new ExchangeSnapshot(row.text("name"), row.text("type"), row.is("durable"), row.is("auto_delete"),
				row.is("internal"), row.map("arguments"));
	}

	private BindingReader.Bindings bindings(Map<String, ExchangeSnapshot> exchanges) {
		BindingReader reader = new BindingReader(this.client.virtualHost(), (path) -> {
			inTime();
			return this.client.read(path);
		});
		try {
			return reader.all();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 0) {
				throw ex;
			}
			this.allBindings = false;
			this.unexamined.add("bindings of exchanges of others: " + ex.getMessage());
		}
		return reader.from(this.expected.exchanges().keySet().stream().filter(exchanges::containsKey).toList());
	}

	private static BindingSnapshot binding(Map<?, ?> entry) {
		JsonRows row = new JsonRows(entry);
		return new BindingSnapshot(row.text("source"), row.text("destination"),
				row.text("destination_type").equals("queue"), row.text("routing_key"), row.text("properties_key"),
				row.map("arguments"));
	}

	/** To others the API shows their own connections only, and the consumers of these. */
	private void requireMonitoring() {
		JsonRows me = JsonRows.ofObject(this.client.read("/api/whoami"));
		List<String> tags = me.texts("tags");
		if (!tags.contains("monitoring") && !tags.contains("administrator")) {
			throw new ManagementUnavailableException(
					"user '%s' sees its own only, and needs the tag monitoring to see those of others"
						.formatted(me.text("name")));
		}
	}

	private List<ConsumerSnapshot> consumers() {
		requireMonitoring();
		return JsonRows
			.of(this.client.list("consumers?columns=queue.name,consumer_tag,exclusive,channel_details.connection_name"))
			.stream()
			.map((row) -> new ConsumerSnapshot(row.object("queue").text("name"), row.text("consumer_tag"),
					row.is("exclusive"), row.object("channel_details").text("connection_name")))
			.toList();
	}

	private Map<String, ConnectionSnapshot> connections() {
		requireMonitoring();
		String host = "/api/vhosts/" + ManagementClient.encoded(this.client.virtualHost());
		Map<String, Long> published = new HashMap<>();
		Map<String, Long> channels = new HashMap<>();
		JsonRows.of(this.client.read(host + "/channels?columns=connection_details.name,message_stats.publish"))
			.forEach((row) -> {
				String connection = row.object("connection_details").text("name");
				published.merge(connection, row.object("message_stats").number("publish"), Long::sum);
				channels.merge(connection, 1L, Long::sum);
			});
		Map<String, ConnectionSnapshot> connections = new LinkedHashMap<>();
		JsonRows.of(this.client.read(host + "/connections?columns=name,user_provided_name,user,state"))
			.forEach((row) -> {
				String name = row.text("name");
				connections.put(name, new ConnectionSnapshot(name, row.text("user_provided_name"), row.text("user"),
						row.text("state"), published.getOrDefault(name, 0L), channels.getOrDefault(name, 0L)));
			});
		return connections;
	}

	private @Nullable UserSnapshot user() {
		String name = this.expected.username();
		if (name == null) {
			throw new ManagementUnavailableException("the connection factory does not tell as whom it connects");
		}
		String path = "/api/users/" + ManagementClient.encoded(name);
		JsonRows user = JsonRows.ofObject(this.client.read(path));
		Optional<JsonRows> permission = JsonRows.of(this.client.read(path + "/permissions"))
			.stream()
			.filter((row) -> row.text("vhost").equals(this.client.virtualHost()))
			.findFirst();
		return new UserSnapshot(name, user.texts("tags"), permission.map((row) -> row.text("configure")).orElse(null),
				permission.map((row) -> row.text("write")).orElse(null),
				permission.map((row) -> row.text("read")).orElse(null),
				limits(this.client.read("/api/user-limits/" + ManagementClient.encoded(name))));
	}

	private List<String> alarms() {
		try {
			this.client.read("/api/health/checks/alarms");
			return List.of();
		}
		catch (ManagementUnavailableException ex) {
			if (ex.status() != 503) {
				throw ex;
			}
		}
		try {
			List<String> alarms = new ArrayList<>();
			JsonRows.of(this.client.read("/api/nodes?columns=name,mem_alarm,disk_free_alarm")).forEach((row) -> {
				if (row.is("mem_alarm")) {
					alarms.add("a memory alarm of node " + row.text("name"));
				}
				if (row.is("disk_free_alarm")) {
					alarms.add("a disk alarm of node " + row.text("name"));
				}
			});
			return alarms.isEmpty() ? List.of("an alarm") : alarms;
		}
		catch (ManagementUnavailableException ex) {
			// that takes the tag monitoring
			return List.of("a memory or disk alarm");
		}
	}

	private Map<String, Long> limits() {
		return limits(this.client.list("vhost-limits"));
	}

	private static Map<String, Long> limits(@Nullable Object answer) {
		Map<String, Long> limits = new LinkedHashMap<>();
		JsonRows.of(answer)
			.forEach((row) -> row.object("value")
				.members()
				.forEach((name, value) -> limits.put(String.valueOf(name),
						(value instanceof Number number) ? number.longValue() : -1L)));
		return limits;
	}

	/** Messages are dead-lettered all the time: only those that stay are stuck. */
	private void lookAgain(Map<String, QueueSnapshot> queues) {
		List<String> suspects = this.expected.queues()
			.keySet()
			.stream()
			.filter((name) -> queues.containsKey(name) && queues.get(name).leaving() > 0)
			.limit(MOST_SECOND_LOOKS)
			.toList();
		if (suspects.isEmpty()) {
			return;
		}
		LockSupport.parkNanos(SECOND_LOOK_NANOS);
		optional("messages that are stuck", () -> find(suspects, QueueLists.TOTALS), List.<QueueSnapshot>of())
			.forEach((queue) -> queues.put(queue.name(), queue));
	}

}
