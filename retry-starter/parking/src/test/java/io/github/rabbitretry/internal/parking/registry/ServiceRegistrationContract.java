/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a service registers when it starts, and starts again, whatever the database.
 */
abstract class ServiceRegistrationContract {

	private final String queue = "registered." + UUID.randomUUID();

	/** The URL of an empty database. */
	abstract String newDatabase();

	abstract String username();

	abstract String password();

	final ConfigurableApplicationContext start(String database, String... more) {
		List<String> properties = new ArrayList<>(List.of("spring.application.name=orders",
				"spring.application.version=7", "spring.datasource.url=" + database,
				"spring.datasource.username=" + username(), "spring.datasource.password=" + password(),
				"spring.datasource.hikari.connection-timeout=1000", "rabbit-retry.ledger.enabled=true",
				"rabbit-retry.ledger.initialize-schema=always", "rabbit-retry.broker.management-username=guest",
				"rabbit-retry.broker.management-password=guest-secret", "test.team=team-orders",
				"rabbit-retry.defaults.owner=${test.team}", "rabbit-retry.defaults.local-attempts=3",
				"rabbit-retry.defaults.ledger.retention=30d",
				"rabbit-retry.message-policies.[Create Order].queue=" + this.queue));
		properties.addAll(List.of(more));
		return TestApplication.start(Service.class, properties.toArray(String[]::new));
	}

	final RegisteredPolicies registered(String database) {
		DriverManagerDataSource dataSource = new DriverManagerDataSource(database, username(), password());
		return new RegisteredPolicies(new ServiceRegistry(new LedgerSchema(dataSource, SchemaInitialization.NEVER)),
				Broker.shared().virtualHost());
	}

	final void awaitRegistered(RegisteredPolicies registered, ConfigurableApplicationContext service) {
		MessagePolicies own = service.getBean(MessagePolicies.class);
		Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
			registered.refresh();
			assertThat(List.copyOf(registered.policies().all())).usingRecursiveComparison()
				.isEqualTo(List.copyOf(own.all()));
		});
	}

	final void deleteQueues() throws Exception {
		try (TestBroker broker = TestBroker.connect()) {
			for (String name : List.of(this.queue, this.queue + ".dlq", this.queue + ".parking-lot")) {
				broker.channel().queueDelete(name);
			}
		}
	}

	@Test
	void aServiceRegistersAndRegistersAgainWithOtherPolicies() throws Exception {
		String database = newDatabase();
		try (ConfigurableApplicationContext service = start(database)) {
			RegisteredPolicies registered = registered(database);
			awaitRegistered(registered, service);
			assertThat(registered.services()).singleElement().satisfies((only) -> {
				assertThat(only.application()).isEqualTo("orders");
				assertThat(only.handlerVersion()).isEqualTo("orders:7");
				assertThat(only.problem()).isNull();
			});
			assertThat(registered.policies().ofQueue(this.queue)).get().satisfies((policy) -> {
				assertThat(policy.owner()).isEqualTo("team-orders");
				assertThat(policy.localAttempts()).isEqualTo(3);
			});
			try (ConfigurableApplicationContext again = start(database,
					"rabbit-retry.message-policies.[Create Order].broker-attempts=4",
					"rabbit-retry.message-policies.[Create Order].local-attempts=1")) {
				awaitRegistered(registered, again);
			}
			assertThat(registered.services()).hasSize(1);
			assertThat(registered.policies().ofQueue(this.queue).orElseThrow().localAttempts()).isOne();
		}
		finally {
			deleteQueues();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Service {

	}

}
