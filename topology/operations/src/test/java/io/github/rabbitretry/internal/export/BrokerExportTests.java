/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BrokerExportTests {

	private final TypeTopology order = TestTypes.of(TestPolicy.order().jitter(0.5).build());

	@Test
	void definitionsHaveAllQueuesInTheSameOrder() {
		Map<String, Object> definitions = export(this.order).definitions();
		assertThat(definitions).containsOnlyKeys("exchanges", "queues", "bindings");
		assertThat(names(definitions, "queues")).isSorted()
			.containsExactlyInAnyOrderElementsOf(
					this.order.topology().queues().stream().map(QueueDefinition::name).toList());
		assertThat(names(definitions, "exchanges")).isSorted().contains("order.retry", "rabbit-retry.delay.v1");
		assertThat(Json.write(definitions)).isEqualTo(Json.write(export(this.order).definitions()))
			.contains(
					"{\"name\":\"order.retry.1s\",\"vhost\":\"v\",\"durable\":true,\"auto_delete\":false,\"arguments\":{\"x-dead-letter-exchange\":\"order.retry\",");
	}

	@Test
	void aWorkerReadsItsQueuesAndWritesItsExchanges() {
		Permissions worker = permissions(Role.WORKER, this.order);
		assertThat(worker.configure()).isEqualTo("^$");
		assertThat(Stream.of("order", "order.dlq")).allMatch((name) -> allows(worker.read(), name));
		assertThat(Stream.of("order.parking-lot", "order.retry.1s", "orders", "xorder", "order.retry", "amq.default",
				"rabbit-retry.delay.v1.unroutable", ""))
			.noneMatch((name) -> allows(worker.read(), name));
		assertThat(Stream.of("order.retry", "order.dlx", "rabbit-retry.delay.v1", "order.retry.1s"))
			.allMatch((name) -> allows(worker.write(), name));
		assertThat(Stream.of("amq.default", "order", "order.dlq", "rabbit-retry.delay.v1.delivery", "other.retry", ""))
			.noneMatch((name) -> allows(worker.write(), name));
	}

	@Test
	void aWorkerSendsDownTheLadderOnlyWhatComesBackToItself() {
		Permissions worker = permissions(Role.WORKER, this.order);
		String key = "0.".repeat(21) + "1.";
		assertThat(worker.topics().keySet()).contains("rabbit-retry.delay.v1", "rabbit-retry.delay.v1.1s")
			.doesNotContain("rabbit-retry.delay.v1.delivery")
			.allMatch((exchange) -> allows(worker.write(), exchange) || exchange.equals("rabbit-retry.delay.v1.250ms"));
		assertThat(worker.topics().values()).allMatch((keys) -> allows(keys, key + "order"))
			.noneMatch((keys) -> allows(keys, key + "other") || allows(keys, key + "x.order"));
	}

	@Test
	void aWorkerWithALedgerReadsParkingLots() {
		RolePermissions least = new RolePermissions(List.of(this.order),
				new ExportOptions("app", "v", true, List.of("order.events"), List.of("more")));
		assertThat(allows(least.of(Role.WORKER).read(), "order.parking-lot")).isTrue();
		assertThat(allows(least.of(Role.WORKER).read(), "more")).isTrue();
		assertThat(allows(least.of(Role.WORKER).write(), "order.events")).isTrue();
		assertThat(allows(least.of(Role.TOPOLOGY).configure(), "order.events")).isTrue();
	}

	@Test
	void formerQueuesAreConsumedAndUnboundButNotDeclaredOrWritten() {
		TypeTopology renamed = new TypeTopology("Order", "team-orders",
				MessageTopology.of("order.v2")
					.boundTo("orders", List.of("order.*"))
					.delays(List.of(Duration.ofSeconds(10)))
					.quarantine(true)
					.formerQueues(List.of("order"))
					.build(),
				true, null);
		Permissions worker = new RolePermissions(List.of(renamed),
				new ExportOptions("app", "v", true, List.of(), List.of()))
			.of(Role.WORKER);
		assertThat(Stream.of("order", "order.dlq", "order.quarantine", "order.parking-lot"))
			.allMatch((name) -> allows(worker.read(), name));
		assertThat(allows(worker.write(), "order.retry.10s")).as("to see how many wait").isTrue();
		assertThat(Stream.of("order", "order.dlq", "order.retry", "order.dlx"))
			.noneMatch((name) -> allows(worker.write(), name));
		Permissions topology = permissions(Role.TOPOLOGY, renamed);
		assertThat(allows(topology.write(), "order") && allows(topology.read(), "orders")).as("to unbind").isTrue();
		assertThat(Stream.of("order", "order.dlq", "order.retry"))
			.noneMatch((name) -> allows(topology.configure(), name));
		assertThat(allows(permissions(Role.OPERATOR, renamed).read(), "order.parking-lot")).isTrue();
		assertThat(names(export(renamed).definitions(), "queues")).contains("order.v2").doesNotContain("order");
	}

	@Test
	void onlyAnExistingQueueNeedsTheDefaultExchange() {
		TypeTopology existing = TestTypes.of(TestPolicy.order().existingQueue().build());
		for (Role role : List.of(Role.WORKER, Role.TOPOLOGY, Role.OPERATOR)) {
			assertThat(allows(permissions(role, existing).write(), "amq.default")).isTrue();
			assertThat(allows(permissions(role, this.order).write(), "amq.default")).isFalse();
		}
		assertThat(allows(permissions(Role.TOPOLOGY, existing).configure(), "order")).as("it is somebody else's")
			.isFalse();
	}

	@Test
	void anOperatorReadsParkingLotsAndReplays() {
		Permissions operator = permissions(Role.OPERATOR, this.order);
		assertThat(allows(operator.read(), "order.parking-lot")).isTrue();
		assertThat(allows(operator.read(), "order")).isFalse();
		assertThat(allows(operator.write(), "order.retry")).isTrue();
	}

	/**
	 * To bind is to write the one and to read the other, and exchanges have names of
	 * queues.
	 */
	@Test
	void anOperatorCanBindNothing() {
		MessageTopology topology = this.order.topology();
		Permissions operator = permissions(Role.OPERATOR, this.order);
		assertThat(TopologyParts.of(List.of(topology)).exchanges())
			.noneMatch((exchange) -> allows(operator.read(), exchange.name()));
		assertThat(topology.queues()).noneMatch((queue) -> allows(operator.write(), queue.name()));
		assertThat(operator.topics()).isEmpty();
	}

	@Test
	void tooManyNamesForTheBrokerAreRefused() {
		List<TypeTopology> policies = IntStream.range(0, 40)
			.mapToObj((number) -> UUID.nameUUIDFromBytes(new byte[] { (byte) number }).toString())
			.map((name) -> TestTypes.of(TestPolicy.named(name).queue(name).build()))
			.toList();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new BrokerExport(policies, new ExportOptions("app", "v", false, List.of(), List.of()))
				.permissionCommands(List.of(Role.WORKER)))
			.withMessageContaining("40 message types")
			.withMessageContaining("role 'worker'")
			.withMessageContaining("RabbitMQ takes 1024")
			.withMessageContaining("--types");
	}

	@Test
	void aMonitorMayOnlyAsk() {
		assertThat(export(this.order).permissionCommands(List.of(Role.MONITOR))).containsExactly(
				"# monitor: reads policies and depths (rabbit-retry.broker.management-username)",
				"rabbitmqctl add_user 'app-monitor'", "rabbitmqctl set_user_tags 'app-monitor' management",
				"rabbitmqctl set_permissions -p 'v' 'app-monitor' '^$' '^$' '^$'");
	}

	private static boolean allows(String pattern, String name) {
		return Pattern.compile(pattern).matcher(name).find();
	}

	private static Permissions permissions(Role role, TypeTopology policy) {
		return new RolePermissions(List.of(policy), new ExportOptions("app", "v", false, List.of(), List.of()))
			.of(role);
	}

	private static BrokerExport export(TypeTopology policy) {
		return new BrokerExport(List.of(policy), new ExportOptions("app", "v", false, List.of(), List.of()));
	}

	private static List<String> names(Map<String, Object> definitions, String kind) {
		return list(definitions, kind).stream().map((part) -> String.valueOf(part.get("name"))).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> definitions, String kind) {
		return (List<Map<String, Object>>) definitions.get(kind);
	}

}
