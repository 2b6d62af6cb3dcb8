/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what concerns the broker or the virtual host as a whole: alarms, connections
 * and versions.
 */
final class BrokerCheck implements DoctorCheck {

	private static final String TESTED = "4\\.[0-3]\\b.*";

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		live.alarms()
			.forEach((alarm) -> findings.add(FindingCode.BROKER_ALARM.of("broker", "There is %s.".formatted(alarm),
					"Free memory or disk space, or raise the watermark.", List.of("rabbitmq-diagnostics alarms"))));
		shared(expected, live, findings);
		version(live, findings);
		return findings;
	}

	private static void shared(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		Set<String> consuming = live.consumers()
			.orElse(List.of())
			.stream()
			.filter((consumer) -> isWork(expected.queues().get(consumer.queue())))
			.map(ConsumerSnapshot::connection)
			.collect(Collectors.toSet());
		live.connections()
			.values()
			.stream()
			.filter((connection) -> consuming.contains(connection.name()))
			.forEach((connection) -> {
				boolean blocked = connection.state().equals("blocked");
				if (blocked || connection.published() > 0) {
					findings.add(FindingCode.PUBLISHER_SHARED.of(connection.name(),
							"Connection '%s' consumes a work queue and publishes, too%s.".formatted(connection.name(),
									blocked ? "; an alarm blocks it now" : ""),
							"Publish on another one, RabbitTemplate#setUsePublisherConnection(true), and start the service again.",
							List.of()));
				}
			});
	}

	private static boolean isWork(@Nullable QueueDefinition queue) {
		return queue != null && (queue.role() == QueueRole.WORK || queue.role() == QueueRole.QUARANTINE);
	}

	private static void version(BrokerSnapshot live, List<Finding> findings) {
		if (!live.version().isEmpty() && !live.version().matches(TESTED)) {
			findings.add(FindingCode.BROKER_VERSION.of("broker", "The broker is RabbitMQ %s.".formatted(live.version()),
					"Use RabbitMQ 4.0 to 4.3, or a later version of Rabbit Retry.",
					List.of("rabbitmq-diagnostics server_version")));
		}
	}

}
