/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.util.List;
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
		this.registered = new RegisteredPolicies(this.registry);
	}

	private static String policy(String messageType, String queue) {
		return "{\"rabbit-retry.message-policies.%s.queue\":\"%s\"}".formatted(messageType, queue);
	}

	private void register(String application, String policies) {
		this.registry.register(application, application + ":1", policies);
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

	private RegisteredService service(String application) {
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
		assertThat(this.registered.services()).extracting(RegisteredService::application)
			.containsExactly("billing", "orders");
		assertThat(service("orders").handlerVersion()).isEqualTo("orders:1");
		assertThat(service("orders").problem()).isNull();
	}

	@Test
	void aServiceThatRegistersAgainReplacesItsPolicies() {
		register("orders", policy("CreateOrder", "order.create"));
		assertThat(queues()).containsExactly("order.create");
		register("orders", policy("CreateOrder", "order.new"));
		assertThat(queues()).containsExactly("order.new");
	}

	@Test
	void onlyOtherPoliciesOrAnotherVersionCountAsRegistered() {
		register("orders", policy("CreateOrder", "order.create"));
		pass("'1' day");
		queues();
		RegisteredService before = service("orders");
		register("orders", policy("CreateOrder", "order.create"));
		queues();
		assertThat(service("orders")).isEqualTo(before);
		this.registry.register("orders", "orders:2", policy("CreateOrder", "order.create"));
		queues();
		assertThat(service("orders").handlerVersion()).isEqualTo("orders:2");
		assertThat(service("orders").registeredAt()).isAfter(before.registeredAt());
	}

	@Test
	void whatCannotBeReadLeavesTheOthersAlone() {
		register("broken", "{\"rabbit-retry");
		register("invalid", "{\"rabbit-retry.message-policies.Order.local-attempts\":\"0\"}");
		register("orders", policy("CreateOrder", "order.create"));
		assertThat(queues()).containsExactly("order.create");
		assertThat(service("broken").problem()).contains("can't be read").contains("not JSON");
		assertThat(service("invalid").problem()).contains("rabbit-retry.message-policies.Order.local-attempts")
			.contains("must be");
		queues();
		assertThat(service("broken").problem()).contains("can't be read");
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
		register("old", policy("CreateOrder", "order.create"));
		assertThat(queues()).containsExactly("order.create", "other");
		register("new", policy("Other", "other"));
		assertThat(queues()).containsExactlyInAnyOrder("order.create", "other");
		assertThat(service("old").problem()).isNull();
	}

	@Test
	void aServiceThatIsGoneForAMonthIsLeftOutAndDeleted() {
		register("gone", policy("CreateOrder", "order.create"));
		register("running", policy("Other", "other"));
		pass("'29' day");
		assertThat(queues()).containsExactlyInAnyOrder("order.create", "other");
		register("running", policy("Other", "other"));
		pass("'2' day");
		assertThat(queues()).containsExactly("other");
		assertThat(rows()).isEqualTo(2);
		register("running", policy("Other", "other"));
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
		this.registry.register("orders", "v".repeat(300), policies);
		this.registry.register("orders", "v".repeat(300), policies);
		assertThat(queues()).hasSize(2000);
		assertThat(service("orders").handlerVersion()).startsWith("vvv").hasSizeLessThanOrEqualTo(255);
	}

}
