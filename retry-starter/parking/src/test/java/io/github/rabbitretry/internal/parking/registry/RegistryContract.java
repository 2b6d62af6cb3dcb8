/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What services register and a console of its own reads, whatever the database.
 */
abstract class RegistryContract {

	private JdbcClient sql;

	private ServiceRegistry registry;

	private RegisteredPolicies registered;

	abstract DataSource newDatabase();

	@BeforeEach
	void create() {
		DataSource dataSource = newDatabase();
		this.sql = JdbcClient.create(dataSource);
		this.registry = new ServiceRegistry(new LedgerSchema(dataSource, SchemaInitialization.ALWAYS));
		this.registered = new RegisteredPolicies(this.registry, "/");
	}

	private static String policy(String messageType, String queue) {
		return "{\"rabbit-retry.message-policies.%s.queue\":\"%s\"}".formatted(messageType, queue);
	}

	private void register(String application, String policies) {
		this.registry.started(version(application, 1, policies));
	}

	private static ServiceRegistry.Registration version(String application, int version, String policies) {
		return new ServiceRegistry.Registration(application, application + ":" + version, "/", policies);
	}

	/** Makes all that was done longer ago. */
	private void pass(String time) {
		this.sql
			.sql("update rabbit_retry_service set registered_at = registered_at - interval " + time
					+ ", seen_at = seen_at - interval " + time)
			.update();
	}

	private List<String> queues() {
		this.registered.refresh();
		return this.registered.policies().all().stream().map(MessagePolicy::queue).toList();
	}

	private RegisteredPolicies.Service service(String application) {
		return this.registered.services()
			.stream()
			.filter((service) -> service.application().equals(application))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void thePoliciesOfAllServicesAreThereInOneObject() {
		MessagePolicies policies = this.registered.policies();
		assertThat(policies.all()).isEmpty();
		register("orders", policy("CreateOrder", "order.create"));
		pass("'1' minute");
		register("billing", policy("Bill", "bill"));
		assertThat(queues()).containsExactly("bill", "order.create");
		assertThat(this.registered.policies()).isSameAs(policies);
		assertThat(policies.ofQueue("order.create").orElseThrow().messageType()).isEqualTo("CreateOrder");
		assertThat(this.registered.topologies()).extracting(TypeTopology::queue)
			.containsExactly("bill", "order.create");
		assertThat(this.registered.services()).extracting(RegisteredPolicies.Service::application)
			.containsExactly("billing", "orders");
		assertThat(service("orders").handlerVersion()).isEqualTo("orders:1");
		assertThat(service("orders").problem()).isNull();
	}

	@Test
	void aServiceIsSeenWhenAnyOfItsInstancesWas() {
		this.registry.started(version("orders", 1, policy("CreateOrder", "order.create")));
		pass("'2' minute");
		this.registry.started(version("orders", 2, policy("CreateOrder", "order.create")));
		pass("'2' minute");
		this.registry.seen(version("orders", 1, policy("CreateOrder", "order.create")));
		this.registered.refresh();
		assertThat(service("orders").handlerVersion()).isEqualTo("orders:2");
		assertThat(Duration.between(service("orders").startedAt(), service("orders").seenAt()))
			.isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
	}

	@Test
	void messagesAreKeptForAsLongAsTheirServicesSay() {
		register("orders", """
				{"rabbit-retry.message-policies.CreateOrder.queue": "order.create",
				 "rabbit-retry.message-policies.CreateOrder.ledger.retention": "90d",
				 "rabbit-retry.message-policies[Refund.v1].queue": "refund",
				 "rabbit-retry.message-policies[Refund.v1].ledger.store-payload": "false",
				 "rabbit-retry.defaults.ledger.retention": "30d"}""");
		pass("'1' minute");
		register("billing", policy("Bill", "bill"));
		assertThat(queues()).containsExactlyInAnyOrder("bill", "order.create", "refund");
		assertThat(this.registered.retention())
			.isEqualTo(Map.of("order.create", Duration.ofDays(90), "refund", Duration.ofDays(30)));
	}

	@Test
	void aServiceThatStartsWithOtherPoliciesReplacesThoseOfTheSameQueue() {
		register("orders", policy("CreateOrder", "order.create"));
		pass("'2' minute");
		register("orders", policy("Order", "order.create"));
		assertThat(queues()).containsExactly("order.create");
		assertThat(this.registered.policies().ofQueue("order.create").orElseThrow().messageType()).isEqualTo("Order");
		assertThat(service("orders").problem()).isNull();
		pass("'1' minute");
		register("orders", policy("CreateOrder", "order.create"));
		queues();
		assertThat(this.registered.policies().ofQueue("order.create").orElseThrow().messageType()).as("rolled back")
			.isEqualTo("CreateOrder");
	}

	@Test
	void aQueueThatAServiceHasNoLongerCanBeReplayedToAndIsNotExpected() {
		register("orders", policy("CreateOrder", "order.old"));
		pass("'10' minute");
		register("orders", policy("CreateOrder", "order.new"));
		assertThat(queues()).containsExactly("order.new", "order.old");
		assertThat(this.registered.topologies()).as("one of the old version may still run")
			.extracting(TypeTopology::queue)
			.containsExactly("order.new", "order.old");
		pass("'2' hour");
		assertThat(queues()).containsExactly("order.new", "order.old");
		assertThat(this.registered.topologies()).extracting(TypeTopology::queue).containsExactly("order.new");
	}

	@Test
	void instancesOfTwoVersionsTakeNothingFromEachOther() {
		ServiceRegistry.Registration old = version("orders", 1, policy("CreateOrder", "order.create"));
		this.registry.started(old);
		pass("'5' minute");
		this.registry.started(version("orders", 2, policy("Order", "order.create")));
		pass("'5' minute");
		this.registry.seen(old);
		queues();
		assertThat(service("orders").handlerVersion()).isEqualTo("orders:2");
		assertThat(this.registered.policies().ofQueue("order.create").orElseThrow().messageType()).isEqualTo("Order");
	}

	@Test
	void aServiceOfAnotherVirtualHostIsLeftOut() {
		this.registry
			.started(new ServiceRegistry.Registration("orders", "orders:1", "other", policy("Order", "order.create")));
		assertThat(queues()).isEmpty();
		assertThat(service("orders").problem()).contains("virtual host 'other'");
	}

	@Test
	void whatCannotBeReadLeavesTheOthersAlone() {
		register("broken", "{\"rabbit-retry");
		register("invalid", "{\"rabbit-retry.message-policies.Order.local-attempts\":\"0\"}");
		register("orders", policy("CreateOrder", "order.create"));
		assertThat(queues()).containsExactly("order.create");
		assertThat(service("broken").problem()).contains("can't be read").contains("JSON");
		assertThat(service("invalid").problem()).contains("rabbit-retry.message-policies.Order.local-attempts")
			.contains("must be");
		queues();
		assertThat(service("broken").problem()).contains("can't be read");
		pass("'1' minute");
		register("broken", policy("Order", "order"));
		assertThat(queues()).containsExactlyInAnyOrder("order.create", "order");
		assertThat(service("broken").problem()).isNull();
	}

	@Test
	void aQueueBelongsToTheServiceThatRegisteredLast() {
		register("old", policy("CreateOrder", "order.create"));
		pass("'1' hour");
		register("new", """
				{"rabbit-retry.message-policies.Order.queue":"order.create",
				 "rabbit-retry.message-policies.Other.queue":"other"}""");
		assertThat(queues()).containsExactly("order.create", "other");
		assertThat(this.registered.policies().ofQueue("order.create").orElseThrow().messageType()).isEqualTo("Order");
		assertThat(service("new").problem()).isNull();
		assertThat(service("old").problem()).contains("'order.create' of new");
		// that it still runs gives it nothing back
		this.registry.seen(version("old", 1, policy("CreateOrder", "order.create")));
		assertThat(queues()).containsExactly("order.create", "other");
		assertThat(service("old").problem()).contains("'order.create' of new");
	}

	@Test
	void whatANewVersionRegistersAndCannotBeReadLeavesThePoliciesOfTheOldOne() {
		register("orders", policy("CreateOrder", "order.create"));
		pass("'1' minute");
		this.registry
			.started(version("orders", 2, "{\"rabbit-retry.message-policies.Order.retry-backoff\":\"newer\"}"));
		assertThat(queues()).containsExactly("order.create");
		assertThat(service("orders").problem()).contains("can't be read");
	}

	@Test
	void aServiceThatIsGoneForAMonthIsLeftOutAndDeleted() {
		register("gone", policy("CreateOrder", "order.create"));
		register("running", policy("Other", "other"));
		pass("'29' day");
		assertThat(queues()).containsExactlyInAnyOrder("order.create", "other");
		ServiceRegistry.Registration running = version("running", 1, policy("Other", "other"));
		this.registry.seen(running);
		pass("'2' day");
		assertThat(queues()).containsExactly("other");
		assertThat(rows()).isEqualTo(2);
		this.registry.seen(running);
		assertThat(rows()).isOne();
		assertThat(queues()).containsExactly("other");
	}

	private int rows() {
		return this.sql.sql("select count(*) from rabbit_retry_service").query(Integer.class).single();
	}

	@Test
	void instancesThatStartTogetherMakeOneRow() {
		List<CompletableFuture<Void>> instances = IntStream.range(0, 8)
			.mapToObj((instance) -> CompletableFuture
				.runAsync(() -> register("orders", policy("CreateOrder", "order.create"))))
			.toList();
		instances.forEach(CompletableFuture::join);
		assertThat(rows()).isOne();
	}

	@Test
	void manyPoliciesAndLongVersionsFit() {
		String policies = "{%s}".formatted(String.join(",",
				IntStream.range(0, 2000)
					.mapToObj((number) -> "\"rabbit-retry.message-policies.Type%d.queue\":\"queue.of.type.%d\""
						.formatted(number, number))
					.toList()));
		ServiceRegistry.Registration large = new ServiceRegistry.Registration("orders", "v".repeat(300), "/", policies);
		this.registry.started(large);
		this.registry.seen(large);
		assertThat(queues()).hasSize(2000);
		assertThat(service("orders").handlerVersion()).startsWith("vvv").hasSizeLessThanOrEqualTo(255);
	}

}
