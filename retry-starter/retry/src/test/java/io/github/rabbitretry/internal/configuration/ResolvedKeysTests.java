/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.junit.jupiter.api.Test;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResolvedKeysTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	private void yaml(String yaml) throws IOException {
		MutablePropertySources sources = this.environment.getPropertySources();
		new YamlPropertySourceLoader().load("yaml " + sources.size(), new ByteArrayResource(yaml.getBytes()))
			.forEach(sources::addLast);
	}

	private void override(Map<String, Object> properties) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("overriding", properties));
	}

	private MessagePolicies own() {
		return new PolicyAssembler(RabbitRetryProperties.bind(this.environment), this.environment).assemble();
	}

	private MessagePolicies read() {
		return ResolvedKeys.read(ResolvedKeys.write(this.environment));
	}

	private MessagePolicy readPolicy(String queue) {
		return read().ofQueue(queue).orElseThrow();
	}

	private void assertReadAsTheyAre(String... messageTypes) {
		MessagePolicies own = own();
		assertThat(own.all()).extracting(MessagePolicy::messageType).containsExactly(messageTypes);
		// binding adds inherited keys to the environment, which are no keys of their own
		for (int time = 0; time < 2; time++) {
			assertThat(List.copyOf(read().all())).usingRecursiveComparison().isEqualTo(List.copyOf(own.all()));
		}
	}

	@Test
	void policiesAreReadAsTheyAre() throws IOException {
		yaml("""
				rabbit-retry:
				  defaults:
				    owner: team-orders
				    local-attempts: 3
				    schedule: [1s, 5s]
				    rejection.exchange: rejections
				  message-policies:
				    CreateOrder:
				      exchange: orders
				      routing-keys: [order.create, "order.new, or so"]
				      retry-backoff: schedule
				      schedule: rocketmq
				      park-on: DESERIALIZATION_FAILED
				    create-invoice:
				      queue: invoices
				      retry-backoff: exponential-jitter
				      names.parking-lot: invoices.parked
				    Ship_It:
				      ordering: key
				      ordering-key: header:customerId
				      retry-backoff: fixed
				    Refund:
				      retry-backoff: schedule
				  topology.queue-type: quorum
				""");
		assertReadAsTheyAre("CreateOrder", "create-invoice", "Ship_It", "Refund");
	}

	@Test
	void messageTypesKeepDotsSpacesAndBrackets() throws IOException {
		yaml("""
				rabbit-retry.message-policies:
				  "[com.acme.CreateOrder]": {queue: a, broker-attempts: 2}
				  "[Create Order v2]": {queue: b}
				  "[List[Order]]": {queue: c}
				  "[42]": {queue: d, routing-keys: [x, y], exchange: orders}
				""");
		assertReadAsTheyAre("com.acme.CreateOrder", "Create Order v2", "List[Order]", "42");
	}

	@Test
	void aListReplacesTheListOrTextOfALaterSource() throws IOException {
		yaml("""
				rabbit-retry:
				  defaults:
				    discard-on: [STALE_COMMAND, A, B]
				  message-policies.Order:
				    retry-backoff: schedule
				    schedule: [1s, 2s, 3s]
				    park-on: A,B,C
				""");
		override(Map.of("rabbit-retry.message-policies.Order.schedule[0]", "7s",
				"rabbit-retry.message-policies.Order.park-on[0]", "ONLY", "rabbit-retry.defaults.discard-on", "ONE"));
		assertReadAsTheyAre("Order");
		MessagePolicy policy = readPolicy("order");
		assertThat(policy.delays().levels()).hasSize(1);
		assertThat(policy.parkOn()).containsExactly("ONLY");
		assertThat(policy.discardOn()).containsExactly("ONE");
	}

	@Test
	void placeholdersAreResolved() throws IOException {
		yaml("""
				team: orders
				rabbit-retry:
				  defaults.owner: team-${team}
				  message-policies.Order:
				    queue: ${queue.of.orders:orders}.create
				""");
		assertReadAsTheyAre("Order");
		assertThat(readPolicy("orders.create").owner()).isEqualTo("team-orders");
		assertThat(ResolvedKeys.write(this.environment)).doesNotContain("${team}");
	}

	@Test
	void environmentVariablesCount() throws IOException {
		yaml("""
				rabbit-retry:
				  defaults.local-attempts: 2
				  message-policies.order: {queue: orders, broker-attempts: 3, exchange: orders}
				""");
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("RABBITRETRY_DEFAULTS_LOCALATTEMPTS", "4", "RABBITRETRY_DEFAULTS_OWNER", "team-env",
									"RABBITRETRY_MESSAGEPOLICIES_ORDER_BROKERATTEMPTS", "6",
									"RABBITRETRY_MESSAGEPOLICIES_ORDER_ROUTINGKEYS_0", "first",
									"RABBITRETRY_MESSAGEPOLICIES_ORDER_ROUTINGKEYS_1", "second")));
		assertReadAsTheyAre("order");
		MessagePolicy policy = readPolicy("orders");
		assertThat(policy.localAttempts()).isEqualTo(4);
		assertThat(policy.brokerAttempts()).isEqualTo(6);
		assertThat(policy.owner()).isEqualTo("team-env");
		assertThat(policy.topology().bindings()).extracting("routingKey").contains("first", "second");
	}

	@Test
	void environmentVariablesOfMixedCaseTypesCountToo() throws IOException {
		yaml("""
				rabbit-retry:
				  defaults.owner: team-orders
				  message-policies: {CreateOrder: {queue: orders}, ship-order: {queue: shipments}}
				""");
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATTEMPTS", "6",
									"RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_NAMES_PARKINGLOT", "orders.parked",
									"RABBIT_RETRY_MESSAGE_POLICIES_SHIP_ORDER_LOCAL_ATTEMPTS", "4")));
		assertReadAsTheyAre("CreateOrder", "ship-order");
		assertThat(readPolicy("orders").brokerAttempts()).isEqualTo(6);
		assertThat(readPolicy("orders").topology().parkingLot()).isEqualTo("orders.parked");
		assertThat(readPolicy("shipments").localAttempts()).isEqualTo(4);
	}

	@Test
	void valuesThatAreNoTextsCount() {
		override(Map.of("rabbit-retry.message-policies.Order.broker-attempts", 4,
				"rabbit-retry.message-policies.Order.exchange", "orders",
				"rabbit-retry.message-policies.Order.routing-keys", List.of("a", "b"),
				"rabbit-retry.message-policies.Order.park-on", new String[] { "A", "B" }));
		assertReadAsTheyAre("Order");
		assertThat(readPolicy("order").parkOn()).containsExactlyInAnyOrder("A", "B");
	}

	@Test
	void delaysOfRulesAndTheConsumerTimeoutCountToo() throws IOException {
		yaml("""
				rabbit-retry:
				  message-policies:
				    Order: {handler-timeout: 45m, local-attempts: 1}
				  classification.rules:
				    - {exception: com.acme.Busy, failure-class: transient, reason: BUSY, delay: 17m}
				  broker.consumer-timeout: 2h
				""");
		assertReadAsTheyAre("Order");
		assertThat(TopologyParts.of(List.of(readPolicy("order").topology())).queues())
			.anyMatch((queue) -> DelayLadder.hasLevel(queue.name()));
	}

	@Test
	void noCredentialsAndNoOtherKeysAreWritten() throws IOException {
		yaml("""
				spring.rabbitmq.password: secret-1
				rabbit-retry:
				  message-policies.Order: {queue: orders}
				  broker: {management-url: "http://secret-2:15672", management-username: secret-3, management-password: secret-4}
				  ledger.data-source: secret-5
				  replay.roles.discard: secret-6
				""");
		assertThat(ResolvedKeys.write(this.environment))
			.isEqualTo("{\"rabbit-retry.message-policies.Order.queue\":\"orders\"}");
	}

	@Test
	void keysOfANewerVersionAreIgnored() {
		MessagePolicies policies = ResolvedKeys.read("""
				{"rabbit-retry.message-policies.Order.broker-attempts": "3",
				 "rabbit-retry.message-policies.Order.telepathy.enabled": "true",
				 "rabbit-retry.topology.dimension": "5", "rabbit-retry.future.key": "x"}""");
		assertThat(policies.ofQueue("order").orElseThrow().brokerAttempts()).isEqualTo(3);
	}

	@Test
	void whatIsWrongIsNamed() {
		for (String wrong : List.of("{\"a\": ", "[]")) {
			assertThatIllegalArgumentException().isThrownBy(() -> ResolvedKeys.read(wrong))
				.withMessageContaining("Cannot parse JSON");
		}
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> ResolvedKeys.read("{\"rabbit-retry.message-policies.Order.broker-attempts\": \"many\"}"))
			.withMessageContaining("rabbit-retry.message-policies.Order.broker-attempts");
	}

}
