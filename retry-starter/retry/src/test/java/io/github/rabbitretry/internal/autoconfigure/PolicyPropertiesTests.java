/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyPropertiesTests {

	@Test
	void aPolicyWithoutKeysIsMadeOfBuiltInDefaults() throws Exception {
		MessagePolicy policy = only("""
				rabbit-retry:
				  message-policies:
				    CreateOrderCommand: {}
				""");
		assertThat(policy.messageType()).isEqualTo("CreateOrderCommand");
		assertThat(policy.queue()).isEqualTo("create.order.command");
		assertThat(policy.owner()).isEqualTo("unowned");
		assertThat(policy.localAttempts()).isEqualTo(2);
		assertThat(policy.localDelay()).isEqualTo(Duration.ofMillis(100));
		assertThat(policy.brokerAttempts()).isEqualTo(5);
		assertThat(policy.maxRetryAge()).isEqualTo(Duration.ofHours(2));
		assertThat(policy.maxCumulativeDelay()).isNull();
		assertThat(policy.delays().levels(1)).hasToString("[5s, 5500ms, 6s]");
		assertThat(policy.delays().levels(5)).hasToString("[25m, 1650s, 30m]");
		assertThat(policy.parkOn()).isEmpty();
		assertThat(policy.discardOn()).isEmpty();
		assertThat(policy.replayPolicy()).isEqualTo("AFTER_REVIEW");
	}

	@Test
	void theExampleOfTheContractIsValid() throws Exception {
		MessagePolicy policy = only("""
				rabbit-retry:
				  defaults:
				    owner: team-orders
				  message-policies:
				    CreateOrderCommand:
				      queue: order.command.create
				      exchange: order.command
				      routing-keys: [order.command.create]
				      local-attempts: 2
				      local-delay: 100ms
				      broker-attempts: 5
				      max-retry-age: PT2H
				      max-cumulative-delay: 1h
				      retry-backoff: exponential-jitter
				      initial-delay: 5s
				      multiplier: 6
				      max-delay: 30m
				      jitter: 0.2
				      schedule: [10s, 1m, 5m]
				      park-on: [DESERIALIZATION_FAILED, UNSUPPORTED_SCHEMA_VERSION]
				      discard-on: [STALE_COMMAND]
				  classification:
				    rules:
				      - exception: com.acme.QuoteExpiredException
				        failure-class: permanent-business
				        reason: QUOTE_EXPIRED
				""");
		assertThat(policy.owner()).isEqualTo("team-orders");
		assertThat(policy.queue()).isEqualTo("order.command.create");
		assertThat(policy.maxCumulativeDelay()).isEqualTo(Duration.ofHours(1));
		assertThat(policy.parkOn()).isEqualTo(Set.of("DESERIALIZATION_FAILED", "UNSUPPORTED_SCHEMA_VERSION"));
		assertThat(policy.discardOn()).isEqualTo(Set.of("STALE_COMMAND"));
		assertThat(policy.topology().exchanges().get(0).name()).isEqualTo("order.command");
	}

	@Test
	void aPolicyGoesBeforeTheDefaultsAndThoseBeforeTheBuiltInOnes() throws Exception {
		MessagePolicies policies = policies("""
				rabbit-retry:
				  defaults:
				    owner: team-orders
				    broker-attempts: 7
				    park-on: [A, B]
				    names: {dead-letter-exchange: shared.dlx}
				  message-policies:
				    Order: {owner: team-one, park-on: [C]}
				    Refund: {broker-attempts: 0, park-on: []}
				""");
		MessagePolicy order = policies.ofQueue("order").orElseThrow();
		assertThat(order.owner()).isEqualTo("team-one");
		assertThat(order.brokerAttempts()).isEqualTo(7);
		assertThat(order.parkOn()).containsExactly("C");
		assertThat(order.localAttempts()).isEqualTo(2);
		assertThat(order.topology().deadLetterExchange()).isEqualTo("shared.dlx");
		MessagePolicy refund = policies.ofQueue("refund").orElseThrow();
		assertThat(refund.owner()).isEqualTo("team-orders");
		assertThat(refund.brokerAttempts()).isZero();
		assertThat(refund.delays().levels()).isEmpty();
		assertThat(refund.parkOn()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			fixed        | [5s, 5s, 5s]
			linear       | [5s, 10s, 15s]
			exponential  | [5s, 30s, 3m]
			schedule     | [10s, 1m, 1m]
			""")
	void everyBackoffIsSpelledAsTheContractDoes(String backoff, String delays) throws Exception {
		MessagePolicy policy = only("""
				rabbit-retry.message-policies.Order:
				  retry-backoff: %s
				  broker-attempts: 3
				  schedule: 10s, PT1M
				""".formatted(backoff));
		assertThat(List.of(policy.delays().levels(1).get(0), policy.delays().levels(2).get(0),
				policy.delays().levels(3).get(0)))
			.hasToString(delays);
		assertThat(policy.delays().levels(3)).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "rocketmq, 10s, 16, 2h", "tdmq, 1s, 18, 2h" })
	void aPresetIsASchedule(String preset, String first, int size, String last) throws Exception {
		MessagePolicy policy = only("""
				rabbit-retry.message-policies.Order:
				  retry-backoff: schedule
				  broker-attempts: 20
				  max-retry-age: 1d
				  schedule: %s
				""".formatted(preset));
		assertThat(policy.delays().levels(1)).hasToString("[" + first + "]");
		assertThat(policy.delays().levels(size)).hasToString("[" + last + "]");
		assertThat(policy.delays().levels(20)).hasToString("[" + last + "]");
		assertThat(policy.topology().levels()).hasSize(size);
	}

	@ParameterizedTest
	@CsvSource({ "CreateOrderCommand, create.order.command", "Order, order", "order, order",
			"HTTPRequestReceived, http.request.received", "OrderV2Created, order.v2.created",
			"create-order, create.order", "create_order, create.order", "com.acme.CreateOrder, com.acme.create.order",
			"ABC, abc", "X, x" })
	void aMessageTypeIsItsQueueInDottedLowerCase(String messageType, String queue) {
		assertThat(PolicyAssembler.dotted(messageType)).isEqualTo(queue);
	}

	@Test
	void everyKeyOfOneGoesBeforeThatOfTheOther() {
		PolicyProperties full = properties("full");
		PolicyProperties other = properties("other");
		PolicyProperties empty = properties(null);
		assertThat(full.or(other)).isEqualTo(full);
		assertThat(empty.or(full)).isEqualTo(full);
		assertThat(full.or(empty)).isEqualTo(full);
		assertThat(empty.or(empty)).isEqualTo(empty);
	}

	private static PolicyProperties properties(@Nullable String text) {
		return (PolicyProperties) sample(PolicyProperties.class, text);
	}

	/** A record in which nothing is set, or all that can be is made of a text. */
	private static @Nullable Object sample(Class<?> type, @Nullable String text) {
		if (type.isRecord()) {
			if (text == null && type != PolicyProperties.class) {
				return null;
			}
			RecordComponent[] components = type.getRecordComponents();
			Object[] values = Arrays.stream(components).map((component) -> sample(component.getType(), text)).toArray();
			try {
				return type
					.getDeclaredConstructor(
							Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new))
					.newInstance(values);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}
		if (text == null) {
			return null;
		}
		if (type.isEnum()) {
			return type.getEnumConstants()[text.length() % 2];
		}
		Map<Class<?>, Object> samples = Map.of(String.class, text, Integer.class, text.length(), Long.class,
				(long) text.length(), Double.class, text.length() + 0.5, Boolean.class, text.length() == 4,
				Duration.class, Duration.ofSeconds(text.length()), List.class, List.of(text), Set.class, Set.of(text),
				Map.class, Map.of(text, text));
		return Objects.requireNonNull(samples.get(type), type.getName());
	}

	private static MessagePolicy only(String yaml) throws Exception {
		return policies(yaml).all().iterator().next();
	}

	private static MessagePolicies policies(String yaml) throws Exception {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("test",
				new ByteArrayResource(yaml.getBytes()));
		Binder binder = new Binder(ConfigurationPropertySources.from(sources));
		return new PolicyAssembler(binder.bindOrCreate("rabbit-retry", RabbitRetryProperties.class)).assemble();
	}

}
