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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.JsonRows;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.QueueLists;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.QueueDefinition;

/**
 * Reads the queues of a virtual host, or only those that policies expect where there are
 * thousands.
 */
final class QueueReader {

	/** The API allows no more. */
	private static final int PAGE = 500;

	private static final int MOST_PAGES = 40;

	/**
	 * Longer than the interval at which quorum queues report how many messages they have.
	 */
	private static final long SECOND_LOOK_NANOS = TimeUnit.SECONDS.toNanos(6);

	private static final int MOST_SECOND_LOOKS = 20;

	private static final String QUEUE_COLUMNS = "name,type,durable,auto_delete,exclusive,arguments,messages,"
			+ "messages_ready,messages_unacknowledged,state,node,leader,members,online";

	private final ManagementClient client;

	private final ExpectedTopology expected;

	private final ReadBudget reading;

	private boolean allQueues = true;

	private long queueCount;

	QueueReader(ManagementClient client, ExpectedTopology expected, ReadBudget reading) {
		this.client = client;
		this.expected = expected;
		this.reading = reading;
	}

	/** How many there are, read or not. */
	long count() {
		return this.queueCount;
	}

	List<QueueSnapshot> queues() {
		List<QueueSnapshot> queues = queues(QueueLists.TOTALS);
		if (!this.allQueues) {
			return ours();
		}
		Set<String> counted = queues.stream().map(QueueSnapshot::name).collect(Collectors.toSet());
		this.reading.inTime();
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
			this.reading.inTime();
			JsonRows answer = JsonRows.ofObject(this.client
				.list("queues?page=%s&page_size=%s&%s&columns=%s".formatted(page, PAGE, list, QUEUE_COLUMNS)));
			this.queueCount = answer.number("total_count");
			pages = answer.number("page_count");
			if (pages > MOST_PAGES) {
				this.reading.leftOut(
						"queues that no policy expects: the virtual host has %s queues".formatted(this.queueCount));
				this.allQueues = false;
				return List.of();
			}
			JsonRows.of(answer.members().get("items")).forEach((row) -> queues.add(queue(row)));
		}
		return queues;
	}

	private List<QueueSnapshot> ours() {
		List<String> names = Stream
			.of(this.expected.parts().queues().stream().map(QueueDefinition::name),
					this.expected.former().keySet().stream().map(FormerQueue::queue), Stream.of(DelayLadder.UNROUTABLE))
			.flatMap(Function.identity())
			.distinct()
			.toList();
		Map<String, QueueSnapshot> queues = new LinkedHashMap<>();
		find(names, QueueLists.ALL).forEach((queue) -> queues.put(queue.name(), queue));
		find(names, QueueLists.TOTALS).forEach((queue) -> queues.put(queue.name(), queue));
		return List.copyOf(queues.values());
	}

	private List<QueueSnapshot> find(List<String> names, String list) {
		this.reading.inTime();
		return new QueueLists(this.client).find(names, list, QUEUE_COLUMNS).stream().map(QueueReader::queue).toList();
	}

	private static QueueSnapshot queue(JsonRows row) {
		return new QueueSnapshot(row.text("name"), row.text("type"), row.is("durable"),
				row.is("auto_delete") || row.is("exclusive"), row.map("arguments"), row.count("messages"),
				row.number("messages_ready"), row.number("messages_unacknowledged"), row.text("state"),
				row.textOrNull("leader"), row.texts(row.members().containsKey("members") ? "members" : "node"),
				row.texts("online"));
	}

	/** Messages are dead-lettered all the time: only those that stay are stuck. */
	void lookAgain(Map<String, QueueSnapshot> queues) {
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
		this.reading
			.optional("messages that are stuck", () -> find(suspects, QueueLists.TOTALS), List.<QueueSnapshot>of())
			.forEach((queue) -> queues.put(queue.name(), queue));
	}

}
