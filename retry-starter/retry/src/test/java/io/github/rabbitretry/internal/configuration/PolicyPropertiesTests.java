/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
		assertThat(policy.delays().levels()).hasToString("[5s, 30s, 3m, 18m, 30m]");
		assertThat(policy.delays().jittered()).isFalse();
		assertThat(policy.parkOn()).isEmpty();
		assertThat(policy.discardOn()).isEmpty();
		assertThat(policy.replayPolicy()).isEqualTo("AFTER_REVIEW");
	}

	@Test
	void aHandlersTimeIsBoundedByTheConsumerTimeout() throws Exception {
		assertThat(only("rabbit-retry.message-policies.Order: {}").handlerTime()).isNull();
		assertThat(only("rabbit-retry.message-policies.Order.handler-timeout: 14m").handlerTime())
			.isEqualTo(new HandlerTime(Duration.ofMinutes(14), Duration.ofMinutes(27)));
		assertThat(only("""
				rabbit-retry:
				  broker.consumer-timeout: 3h
				  defaults.handler-timeout: 1h
				  message-policies:
				    Order: {}
				""").handlerTime()).isEqualTo(new HandlerTime(Duration.ofHours(1), Duration.ofMinutes(162)));
	}

	/** Each close of a channel counts for hundreds of held messages. */
	@Test
	void messagesThatAreHeldForOthersMayBeDeliveredMoreOften() throws Exception {
		assertThat(deliveryLimit("ordering: none")).isEqualTo(5);
		assertThat(deliveryLimit("ordering: queue")).isEqualTo(5);
		assertThat(deliveryLimit("{ordering: queue, when-parked: block}")).isEqualTo(1000);
		assertThat(deliveryLimit("{ordering: key, ordering-key: routing-key}")).isEqualTo(100);
		assertThat(deliveryLimit("{ordering: key, ordering-key: routing-key, delivery-limit: 7}")).isEqualTo(7);
	}

	private static @Nullable Object deliveryLimit(String keys) throws Exception {
		String yaml = keys.startsWith("{") ? keys : "{" + keys + "}";
		MessagePolicy policy = only("""
				rabbit-retry:
				  defaults: {retry-backoff: fixed, initial-delay: 1s}
				  message-policies:
				    Order: %s
				""".formatted(yaml));
		return policy.topology()
			.queues()
			.stream()
			.filter((queue) -> queue.name().equals(policy.queue()))
			.findFirst()
			.orElseThrow()
			.arguments()
			.get("x-delivery-limit");
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
		assertThat(policy.delays().bounds(1)).hasToString("[5s, 6s]");
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
		assertThat(List.of(policy.delays().level(1), policy.delays().level(2), policy.delays().level(3)))
			.hasToString(delays);
		assertThat(policy.delays().bounds(3)).hasSize(1);
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
		assertThat(policy.delays().bounds(1)).hasToString("[" + first + "]");
		assertThat(policy.delays().bounds(size)).hasToString("[" + last + "]");
		assertThat(policy.delays().bounds(20)).hasToString("[" + last + "]");
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

	@ParameterizedTest
	@ValueSource(
			strings = { "Order", "order", "create-order", "Create_Order", "[com.acme.Order]", "[Order]", "[Größe]" })
	void everyKeyIsInheritedUnlessThePolicyHasIt(String written) {
		String messageType = written.replaceAll("[\\[\\]]", "");
		String own = "rabbit-retry.message-policies" + (written.startsWith("[") ? "" : ".") + written;
		PolicyProperties builtIn = properties(messageType, Map.of());
		Map<String, Object> full = keys(PolicyProperties.class, "full");
		Map<String, Object> other = keys(PolicyProperties.class, "other");
		PolicyProperties whole = properties(messageType, below(own, full));
		assertThatEveryComponentDiffers(whole, builtIn);
		Map<String, Object> inherited = below("rabbit-retry.defaults", full);
		inherited.put(own, "");
		assertThat(properties(messageType, inherited)).isEqualTo(whole);
		Map<String, Object> both = below(own, full);
		both.putAll(below("rabbit-retry.defaults", other));
		assertThat(properties(messageType, both)).isEqualTo(whole);
		full.keySet().forEach((key) -> {
			Map<String, Object> mixed = new LinkedHashMap<>(below(own, Map.of(key, full.get(key))));
			mixed.putAll(below("rabbit-retry.defaults", without(key, full)));
			assertThat(properties(messageType, mixed)).as(key).isEqualTo(whole);
		});
	}

	private static Map<String, Object> without(String key, Map<String, Object> keys) {
		Map<String, Object> others = new LinkedHashMap<>(keys);
		others.remove(key);
		return others;
	}

	@Test
	void environmentVariablesOfTheDefaultsAreInheritedToo() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("variables-systemEnvironment",
					Map.of("RABBITRETRY_DEFAULTS_OWNER", "${team}",
							"RABBITRETRY_MESSAGEPOLICIES_CREATEORDER_BROKERATTEMPTS", "3",
							"RABBITRETRY_DEFAULTS_PARKON_0", "A", "RABBITRETRY_DEFAULTS_CALENDAR_ZONE", "UTC")));
		environment.getPropertySources()
			.addLast(new MapPropertySource("file",
					Map.of("team", "team-orders", "rabbit-retry.message-policies.CreateOrder.broker-attempts", 4,
							"rabbit-retry.defaults.park-on", "B,C",
							"rabbit-retry.message-policies.CreateOrder.calendar.opens", "10:00")));
		PolicyProperties properties = inherited(environment, "CreateOrder");
		assertThat(properties.owner()).isEqualTo("team-orders");
		assertThat(properties.brokerAttempts()).isEqualTo(3);
		assertThat(properties.parkOn()).containsExactly("A");
		assertThat(properties.calendar().zone()).isEqualTo("UTC");
		assertThat(properties.calendar().opens()).isEqualTo("10:00");
		assertThat(properties.calendar().closes()).isEqualTo("17:00");
	}

	@Test
	void defaultsThatNobodyCanListAreRefused() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("file", Map.of("rabbit-retry.message-policies.Order", "")));
		environment.getPropertySources().addFirst(new PropertySource<>("jndi", new Object()) {

			@Override
			public @Nullable Object getProperty(String name) {
				return name.equals("rabbit-retry.defaults.broker-attempts") ? "3" : null;
			}

		});
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RabbitRetryProperties.bind(environment))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rabbit-retry.defaults.broker-attempts"))
			.withMessageContaining("no policy would inherit it");
	}

	private static PolicyProperties properties(String messageType, Map<String, Object> keys) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("keys", keys));
		return inherited(environment, messageType);
	}

	private static PolicyProperties inherited(StandardEnvironment environment, String messageType) {
		InheritedDefaults.addTo(environment);
		PolicyProperties policy = Binder.get(environment)
			.bindOrCreate("rabbit-retry", RabbitRetryProperties.class)
			.messagePolicies()
			.get(messageType);
		return (policy != null) ? policy : Binder.get(environment).bindOrCreate("none", PolicyProperties.class);
	}

	private static Map<String, Object> below(String prefix, Map<String, Object> keys) {
		Map<String, Object> below = new LinkedHashMap<>();
		keys.forEach((key, value) -> below.put(prefix + "." + key, value));
		return below;
	}

	private static void assertThatEveryComponentDiffers(Record one, Record other) {
		for (RecordComponent component : one.getClass().getRecordComponents()) {
			Object value = value(component, one);
			if (value instanceof Record nested) {
				assertThatEveryComponentDiffers(nested, (Record) value(component, other));
			}
			else if (component.getType() != Map.class) {
				assertThat(value).as(component.getName()).isNotNull().isNotEqualTo(value(component, other));
			}
		}
	}

	private static Object value(RecordComponent component, Record record) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), record);
	}

	/** All keys, each with a value made of a text. */
	private static Map<String, Object> keys(Class<?> type, String text) {
		Map<String, Object> keys = new LinkedHashMap<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String key = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
			if (component.getType().isRecord()) {
				keys(component.getType(), text).forEach((nested, value) -> keys.put(key + "." + nested, value));
			}
			else if (component.getType() == boolean.class) {
				keys.put(key, byDefault(type, component) == text.equals("other"));
			}
			else if (component.getType() != Map.class) {
				keys.put(key, sample(component.getType(), text));
			}
		}
		return keys;
	}

	private static boolean byDefault(Class<?> type, RecordComponent component) {
		return Arrays.stream(type.getDeclaredConstructors()[0].getParameters())
			.filter((parameter) -> parameter.getName().equals(component.getName()))
			.anyMatch((parameter) -> Boolean.parseBoolean(parameter.getAnnotation(DefaultValue.class).value()[0]));
	}

	private static Object sample(Class<?> type, String text) {
		if (type.isEnum()) {
			return type.getEnumConstants()[(text.length() + 1) % 2].toString();
		}
		Map<Class<?>, Object> samples = Map.of(String.class, text, int.class, text.length() + 10, Integer.class,
				text.length(), long.class, text.length(), Long.class, text.length(), double.class, text.length() + 0.5,
				Double.class, text.length() + 0.5, Duration.class, Duration.ofSeconds(text.length() + 10));
		return samples.getOrDefault(type, text);
	}

	private static MessagePolicy only(String yaml) throws Exception {
		return policies(yaml).all().iterator().next();
	}

	private static MessagePolicies policies(String yaml) throws Exception {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("test",
				new ByteArrayResource(yaml.getBytes()));
		StandardEnvironment environment = new StandardEnvironment();
		sources.forEach(environment.getPropertySources()::addFirst);
		return new PolicyAssembler(RabbitRetryProperties.bind(environment), environment).assemble();
	}

}
