/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.MessageTopologyBuilder;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.TopologyNames;

/**
 * Two configurations of one message type, the second as models and as properties.
 */
enum TopologyChange {

	OTHER_DELAYS(true, delays(1, 3), delays(2, 3), "schedule=2s,3s"),

	PER_TYPE_TO_SHARED(true, delays(1, 3), order().ring(RetryQueueScope.SHARED), "ring=shared"),

	SHARED_TO_PER_TYPE(true, order().ring(RetryQueueScope.SHARED), delays(1, 3), "schedule=1s,3s"),

	JITTER_TO_NONE(true, delays(1, 3).jittered(true), delays(2), "schedule=2s"),

	FIRST_VERSION(true, delays(1, 3), delays(2), "schedule=2s"),

	CLASSIC_TO_QUORUM(false, delays(1, 3).queueType(QueueType.CLASSIC), delays(1, 3), "schedule=1s,3s"),

	QUORUM_TO_CLASSIC(false, delays(1, 3), delays(1, 3).queueType(QueueType.CLASSIC), "schedule=1s,3s",
			"rabbit-retry.topology.queue-type=classic"),

	OTHER_LIMIT(false, delays(1), delays(1).deliveryLimit(9), "schedule=1s", "delivery-limit=9"),

	FULL_TO_MINIMAL(false, delays(1), delays(1).minimalArguments(true), "schedule=1s",
			"rabbit-retry.topology.arguments=minimal"),

	MINIMAL_TO_FULL(false, delays(1).minimalArguments(true), delays(1), "schedule=1s"),

	OTHER_NAMES(false, delays(1),
			delays(1).names(
					new TopologyNames("migrated.wait", "migrated.ring", "migrated.dead", null, "migrated.lot", null)),
			"schedule=1s", "names.retry-prefix=migrated.wait", "names.ring-exchange=migrated.ring",
			"names.dead-letter-exchange=migrated.dead", "names.parking-lot=migrated.lot"),

	OTHER_WORK_QUEUE(false, delays(1), on("migrated.v2").delays(List.of(Duration.ofSeconds(2))), "queue=migrated.v2",
			"schedule=2s"),

	CLASSIC_AND_SHARED_TO_ANOTHER_QUEUE(false, order().ring(RetryQueueScope.SHARED).queueType(QueueType.CLASSIC),
			on("migrated.v2").delays(List.of(Duration.ofSeconds(1))), "queue=migrated.v2", "schedule=1s");

	/** What all names begin with. */
	static final String PREFIX = "migrated";

	static final String QUEUE = "migrated.order";

	static final String EXCHANGE = "migrated.orders";

	static final String KEY = "created";

	private final boolean running;

	private final MessageTopology former;

	private final MessageTopology wanted;

	private final List<String> properties;

	TopologyChange(boolean running, MessageTopologyBuilder former, MessageTopologyBuilder wanted,
			String... properties) {
		this.running = running;
		this.former = former.build();
		this.wanted = wanted.build();
		this.properties = List.of(properties);
	}

	private static MessageTopologyBuilder on(String queue) {
		return MessageTopology.of(queue).boundTo(EXCHANGE, List.of(KEY)).quarantine(true);
	}

	private static MessageTopologyBuilder order() {
		return on(QUEUE);
	}

	private static MessageTopologyBuilder delays(int... seconds) {
		return order().delays(Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList());
	}

	/** Whether the service runs with the second configuration while it is migrated. */
	boolean running() {
		return this.running;
	}

	MessageTopology former() {
		return this.former;
	}

	MessageTopology wanted() {
		return this.wanted;
	}

	MigratedType type() {
		return new MigratedType(this.wanted, this.former);
	}

	String[] properties() {
		// the same key twice would be a list
		Map<String, String> policy = new LinkedHashMap<>(Map.of("queue", QUEUE, "exchange", EXCHANGE, "routing-keys",
				KEY, "retry-backoff", "schedule", "schedule", "1s"));
		List<String> all = new ArrayList<>(List.of("spring.rabbitmq.listener.simple.concurrency=2"));
		for (String property : this.properties) {
			String[] parts = property.split("=");
			if (parts[0].startsWith("rabbit-retry.")) {
				all.add(property);
			}
			else {
				policy.put(parts[0], parts[1]);
			}
		}
		policy.forEach((key, value) -> all.add("rabbit-retry.message-policies.Order.%s=%s".formatted(key, value)));
		return all.toArray(String[]::new);
	}

}
