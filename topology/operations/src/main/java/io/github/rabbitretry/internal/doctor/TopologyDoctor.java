/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.doctor.TopologyReport.QueueReport;
import io.github.rabbitretry.internal.doctor.TopologyReport.TypeReport;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshotReader;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyDiagram;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * Examines a virtual host: by the management API, or else by what AMQP alone can show.
 * Only looks when it is asked, on the thread that asks; the check after startup asks
 * once.
 */
public final class TopologyDoctor {

	private static final Duration FRESH = Duration.ofSeconds(5);

	static final List<DoctorCheck> CHECKS = List.of(new ExchangeCheck(), new QueueCheck(), new ExistingWorkQueueCheck(),
			new BindingCheck(), new BrokerPolicyCheck(), new CycleCheck(), new QueueStateCheck(), new BrokerCheck(),
			new PermissionCheck(), new ConsumerCheck(), new FormerQueueCheck(), new LeftoverCheck());

	private final Supplier<ExpectedTopology> expected;

	private final BrokerAccess broker;

	private final InstantSource clock;

	private @Nullable TopologyReport last;

	private @Nullable RuntimeException lastFailure;

	private Instant lastAt = Instant.MIN;

	/**
	 * Creates the doctor.
	 * @param expected what message policies expect at the moment
	 * @param broker how to reach the broker
	 * @param clock what time it is
	 */
	public TopologyDoctor(Supplier<ExpectedTopology> expected, BrokerAccess broker, InstantSource clock) {
		this.expected = expected;
		this.broker = broker;
		this.clock = clock;
	}

	/**
	 * Examines, unless that was done, or tried, seconds ago: a broker that does not
	 * answer is waited for by one request, and not by all that come meanwhile, one after
	 * the other.
	 * @return what was found
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public synchronized TopologyReport examine() {
		Instant now = this.clock.instant();
		if (now.isAfter(this.lastAt.plus(FRESH))) {
			this.last = null;
			this.lastFailure = null;
		}
		if (this.lastFailure != null) {
			throw this.lastFailure;
		}
		TopologyReport known = this.last;
		if (known == null) {
			try {
				known = look(now);
			}
			catch (RuntimeException ex) {
				this.lastFailure = ex;
				throw ex;
			}
			finally {
				this.lastAt = this.clock.instant();
			}
			this.last = known;
		}
		return known;
	}

	/**
	 * Examines by the management API, whenever that was done last.
	 * @return what was found
	 * @throws ManagementUnavailableException if the API can't be asked
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public TopologyReport examineByManagement() {
		return examineByManagement(this.expected.get(), this.clock.instant());
	}

	private TopologyReport examineByManagement(ExpectedTopology expected, Instant now) {
		ManagementClient client = new ManagementClient(ManagementSettings.of(this.broker));
		BrokerSnapshot live = new BrokerSnapshotReader(client, expected).read();
		List<Finding> findings = new ArrayList<>();
		CHECKS.forEach((check) -> findings.addAll(check.examine(expected, live)));
		Map<String, Integer> consumers = new LinkedHashMap<>();
		live.consumers()
			.ifPresent((all) -> all.forEach((consumer) -> consumers.merge(consumer.queue(), 1, Integer::sum)));
		return report(expected, live.virtualHost(), live.version(),
				"management API at %s as user '%s'".formatted(client.url(), client.username()), now, findings,
				live.unexamined(), (model) -> report(model, live, consumers));
	}

	private TopologyReport look(Instant now) {
		ExpectedTopology expected = this.expected.get();
		try {
			return examineByManagement(expected, now);
		}
		catch (ManagementUnavailableException ex) {
			AmqpCheck.Result result = AmqpCheck.examine(expected, this.broker);
			List<String> unexamined = new ArrayList<>();
			unexamined.add("policies, bindings, exchanges and queues that no policy expects, consumers, permissions, "
					+ "alarms: the management API is not available; its address is set by rabbit-retry.broker.management-url. "
					+ ex.getMessage());
			unexamined.addAll(result.unexamined());
			return report(expected, result.virtualHost(), null, "AMQP alone", now, result.findings(), unexamined,
					result::report);
		}
	}

	private static TopologyReport report(ExpectedTopology expected, String virtualHost, @Nullable String version,
			String examinedBy, Instant now, List<Finding> findings, List<String> unexamined,
			Function<QueueDefinition, QueueReport> queues) {
		List<Finding> sorted = NothingDeclared.condense(findings, expected)
			.stream()
			.sorted(Comparator.comparing(Finding::severity))
			.toList();
		List<TypeReport> types = expected.types().stream().map((policy) -> type(policy, queues)).toList();
		Set<String> own = types.stream()
			.flatMap((type) -> type.queues().stream())
			.map(QueueReport::name)
			.collect(Collectors.toSet());
		return new TopologyReport(virtualHost, version, examinedBy, now.toString(), types,
				expected.parts().queues().stream().filter((queue) -> !own.contains(queue.name())).map(queues).toList(),
				sorted, List.copyOf(unexamined));
	}

	private static TypeReport type(TypeTopology policy, Function<QueueDefinition, QueueReport> queues) {
		MessageTopology topology = policy.topology();
		return new TypeReport(policy.messageType(), policy.owner(), topology.queue(), label(topology.ring()),
				topology.ownQueues().stream().map(queues).toList(),
				topology.exchanges()
					.stream()
					.filter((exchange) -> !DelayLadder.hasExchange(exchange.name()))
					.collect(Collectors.toMap(ExchangeDefinition::name, ExchangeDefinition::type, (one, other) -> one,
							LinkedHashMap::new)),
				topology.bindings()
					.stream()
					.filter((binding) -> topology.ownQueues()
						.stream()
						.anyMatch((queue) -> queue.name().equals(binding.destination())))
					.map((binding) -> "%s --%s--> %s".formatted(binding.exchange(), binding.routingKey(),
							binding.destination()))
					.toList(),
				TopologyDiagram.mermaid(topology));
	}

	private static QueueReport report(QueueDefinition model, BrokerSnapshot live, Map<String, Integer> consumers) {
		QueueSnapshot queue = live.queues().get(model.name());
		if (queue == null) {
			return new QueueReport(model.name(), label(model.role()), label(model.type()), model.existing(),
					model.arguments(), false, null, null, null, null, null);
		}
		boolean counted = queue.messages() >= 0;
		return new QueueReport(model.name(), label(model.role()), queue.type(), model.existing(), model.arguments(),
				true, counted ? (Long) queue.messages() : null, counted ? (Long) queue.ready() : null,
				counted ? (Long) queue.unacknowledged() : null,
				live.consumers().isPresent() ? (Integer) consumers.getOrDefault(model.name(), 0) : null, queue.state());
	}

	static String label(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
