/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ShellWord;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.snapshot.UserSnapshot;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what concerns the broker or the virtual host as a whole: alarms, connections,
 * limits, and what is different between versions.
 */
final class BrokerCheck implements DoctorCheck {

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(\\.\\d+)?.*");

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		live.alarms()
			.forEach((alarm) -> findings.add(FindingCode.BROKER_ALARM.of("broker", "There is %s.".formatted(alarm),
					"Free memory or disk space, or raise the watermark.", List.of("rabbitmq-diagnostics alarms"))));
		shared(expected, live, findings);
		limits(expected, live, findings);
		userLimits(live, findings);
		versions(expected, live, findings);
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

	private static boolean isWork(@Nullable QueueModel queue) {
		return queue != null && (queue.role() == QueueRole.WORK || queue.role() == QueueRole.QUARANTINE);
	}

	private static void limits(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		limit("max-queues", live.queueCount(),
				expected.queues().keySet().stream().filter((queue) -> !live.queues().containsKey(queue)).count(), live,
				findings);
		limit("max-connections", live.connections().size(), 0, live, findings);
	}

	private static void limit(String name, long used, long missing, BrokerSnapshot live, List<Finding> findings) {
		long most = live.limits().getOrDefault(name, -1L);
		if (most < 0 || used + missing < most - most / 10) {
			return;
		}
		Map<String, Object> raised = new LinkedHashMap<>(live.limits());
		raised.put(name, 2 * (used + missing));
		Finding finding = FindingCode.LIMIT_REACHED.of(name,
				"%d of at most %d (%s) are there%s.".formatted(used, most, name,
						(missing > 0) ? ", and %d of ours are missing".formatted(missing) : ""),
				"Raise the limit, or set ring to shared, so that fewer queues are needed.",
				List.of(live.commands().ctl("set_vhost_limits", Json.write(raised))));
		findings.add((used + missing > most) ? finding.with(Severity.ERROR) : finding);
	}

	/** What the user has in other virtual hosts counts too, and is not seen here. */
	private static void userLimits(BrokerSnapshot live, List<Finding> findings) {
		UserSnapshot user = live.user();
		if (user == null) {
			return;
		}
		List<ConnectionSnapshot> connections = live.connections()
			.values()
			.stream()
			.filter((connection) -> connection.user().equals(user.name()))
			.toList();
		userLimit("max-connections", connections.size(), user, findings);
		userLimit("max-channels", connections.stream().mapToLong(ConnectionSnapshot::channels).sum(), user, findings);
	}

	private static void userLimit(String name, long used, UserSnapshot user, List<Finding> findings) {
		long most = user.limits().getOrDefault(name, -1L);
		if (most < 0 || used < most - most / 10) {
			return;
		}
		Map<String, Object> raised = new LinkedHashMap<>(user.limits());
		raised.put(name, 2 * Math.max(used, 10));
		Finding finding = FindingCode.LIMIT_REACHED.of("user '%s'".formatted(user.name()),
				"User '%s' has %d of at most %d (%s) in this virtual host.".formatted(user.name(), used, most, name),
				"Raise the limit.", List.of("rabbitmqctl set_user_limits %s %s".formatted(ShellWord.quoted(user.name()),
						ShellWord.quoted(Json.write(raised)))));
		findings.add((most == 0) ? finding.with(Severity.ERROR) : finding);
	}

	private static void versions(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		Matcher version = VERSION.matcher(live.version());
		if (!version.matches()) {
			return;
		}
		int major = Integer.parseInt(version.group(1));
		int minor = Integer.parseInt(version.group(2));
		if (major != 4 || minor > 3) {
			findings.add(FindingCode.BROKER_VERSION.of("broker", "The broker is RabbitMQ %s.".formatted(live.version()),
					"Use RabbitMQ 4.0 to 4.3, or a later version of Rabbit Retry.",
					List.of("rabbitmq-diagnostics server_version")));
		}
		if (major < 4) {
			unlimited(expected, live, findings);
		}
		if (major == 4 && (minor < 3 || live.version().matches("4\\.3\\.0"))) {
			delayedRetries(minor < 3, expected, live, findings);
		}
		delayedExchanges(expected, live, findings);
		UserSnapshot user = live.user();
		if (user != null && live.version().matches("4\\.(2\\.6|3\\.0)") && !expected.declared()) {
			findings.add(FindingCode.BROKER_VERSION.of(Severity.INFO, "broker",
					"The broker is RabbitMQ %s, and the application does not declare.".formatted(live.version()),
					"Upgrade, or grant configure: depths of queues are not known otherwise.", List.of()));
		}
	}

	private static void unlimited(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		present(expected, live).filter((queue) -> {
			Object limit = queue.effective("delivery-limit", live.policies());
			return queue.type().equals("quorum") && limit instanceof Number number && number.longValue() < 0;
		})
			.forEach((queue) -> findings.add(FindingCode.BROKER_VERSION.of(Severity.ERROR, queue.name(),
					"Queue '%s' has delivery-limit -1, and the broker is RabbitMQ %s.".formatted(queue.name(),
							live.version()),
					"Upgrade to 4.0 or newer.", List.of("rabbitmq-diagnostics server_version"))));
	}

	private static void delayedRetries(boolean arguments, ExpectedTopology expected, BrokerSnapshot live,
			List<Finding> findings) {
		present(expected, live).forEach((queue) -> {
			boolean argument = queue.arguments().containsKey("x-delayed-retry-type");
			Object type = queue.effective("delayed-retry-type", live.policies());
			if (type != null && !type.equals("disabled") && (arguments || !argument)) {
				findings.add(FindingCode.BROKER_VERSION.of(queue.name(),
						"Queue '%s' has delayed-retry-type '%s', and the broker is RabbitMQ %s.".formatted(queue.name(),
								type, live.version()),
						"Upgrade to 4.3.1 or newer, or %s."
							.formatted(argument ? "declare the queue without it" : "remove it from the policy"),
						List.of(argument ? "rabbitmq-diagnostics server_version"
								: live.commands().ctl("list_policies"))));
			}
		});
	}

	private static void delayedExchanges(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		live.bindings()
			.stream()
			.filter((binding) -> binding.toQueue() && expected.queues().containsKey(binding.destination()))
			.map((binding) -> live.exchanges().get(binding.source()))
			.filter((exchange) -> exchange != null && exchange.type().equals("x-delayed-message"))
			.distinct()
			.forEach((exchange) -> findings.add(FindingCode.BROKER_VERSION.of(exchange.name(),
					"Exchange '%s' is of type x-delayed-message and leads to our queues.".formatted(exchange.name()),
					"Have producers publish to another exchange, or retries wait in retry queues, before you upgrade.",
					List.of(live.commands().ctl("list_exchanges", "name", "type")))));
	}

	private static Stream<QueueSnapshot> present(ExpectedTopology expected, BrokerSnapshot live) {
		return expected.queues().keySet().stream().filter(live.queues()::containsKey).map(live.queues()::get);
	}

}
