/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.internal.listener.ManagedContainers;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.internal.simulation.SimulationBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SecurityContext;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RetrySimulationEndpointTests {

	private static final Map<String, String> LOAD = Map.of("rate", "300/min", "outage", "2m");

	private final MockEnvironment environment = new MockEnvironment();

	private final RetrySimulationEndpoint endpoint = new RetrySimulationEndpoint(
			new MessagePolicies(List
				.of(TestPolicy.order().brokerAttempts(2).backoff(new Backoff.Fixed(Duration.ofSeconds(30))).build())),
			new PolicySimulator(SimulationBounds.SERVICE), new ManagedContainers(), this.environment,
			Clock.fixed(Instant.parse("2026-07-01T12:00:30Z"), ZoneOffset.UTC));

	private JsonNode ask(String type, Map<String, String> arguments) {
		Object answer = this.endpoint.simulate(type,
				new EndpointRequest(new TreeMap<>(arguments), SecurityContext.NONE));
		return JsonMapper.shared().valueToTree(answer);
	}

	@Test
	void theAnswerIsTextAndNumbers() {
		JsonNode one = ask("Order", LOAD).path("simulations").path(0);
		assertThat(one.path("load").toString().replace('"', '\''))
			.isEqualTo("{'rate':'5/s','outage':'PT2M','failing':'100%','failureClass':'transient',"
					+ "'reason':'DOWNSTREAM_UNAVAILABLE','handlerTime':'PT0S','failingTime':'PT0S','concurrency':'1',"
					+ "'seed':'1'}");
		assertThat(one.path("messages").asLong()).isEqualTo(750);
		assertThat(one.path("parked").toString()).isEqualTo("{\"RETRY_BUDGET_EXHAUSTED\":300}");
		assertThat(one.path("lastRetry").asString()).isEqualTo("PT2M29.8S");
		assertThat(one.path("lastParked").asString()).isEqualTo("PT1M59.8S");
		assertThat(one.path("downstreamPeak").toString()).isEqualTo("{\"value\":15,\"at\":\"PT1M\"}");
		assertThat(one.path("minutes").path(1).toString().replace('"', '\''))
			.isEqualTo("{'minute':1,'arrived':300,'handlerCalls':900,'failedCalls':900,'retries':600,"
					+ "'callsPerSecond':15,'ready':0,'waiting':300,'parked':300}");
		assertThat(one.path("notSimulated")).isEmpty();
	}

	@Test
	void everythingThatHappensCanBeSaid() {
		Map<String, String> arguments = new TreeMap<>(LOAD);
		arguments.putAll(Map.of("failing", "12.5%", "reason", "QUOTE_EXPIRED", "failureClass", "permanent-business",
				"handlerTime", "40ms", "failingTime", "5s", "concurrency", "50", "duration", "PT3M", "seed", "-7"));
		arguments.put("start", "2026-07-01T12:00:00Z");
		assertThat(ask("Order", arguments).path("simulations").path(0).path("load").toString().replace('"', '\''))
			.isEqualTo("{'rate':'5/s','outage':'PT2M','failing':'12.5%','failureClass':'permanent-business',"
					+ "'reason':'QUOTE_EXPIRED','handlerTime':'PT0.04S','failingTime':'PT5S','concurrency':'50',"
					+ "'duration':'PT3M','seed':'-7'}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			rate        | fast     | 'rate' is 'fast', which is no rate as 50/s, 300/min or 20/h.
			rate        | -5/s     | 'rate' is '-5/s', which is no rate
			rate        | 0/s      | 'rate' is 0.0 messages a second.
			rate        | ""       | 'rate' is missing.
			outage      | ""       | 'outage' is missing: how long the service is down, as 10m.
			outageAt    | soon     | 'outageAt' must be a time as 30s, 10m or 2h.
			outage      | soon     | 'outage' must be a time as 30s, 10m or 2h.
			outage      | 10       | 'outage' must be a time as 30s, 10m or 2h.
			handlerTime | 40       | 'handlerTime' must be a time as 30s, 10m or 2h.
			failingTime | 5        | 'failingTime' must be a time as 30s, 10m or 2h.
			duration    | 3        | 'duration' must be a time as 30s, 10m or 2h.
			outage      | 20d      | 'outage' is PT480H. It must be from PT0S to PT336H.
			failing     | 0.5      | 'failing' is '0.5', which is no percentage as 100%.
			failing     | 101%     | 'failing' is 101
			reason      | oops     | 'reason' is 'oops', which is not built in: 'failureClass' says what it is
			failureClass| bad      | 'failureClass' is 'bad'. Supported: transient
			concurrency | 0        | 'concurrency' is 0. It must be from 1 to 1000000.
			duration    | 0s       | 'duration' is PT0S.
			seed        | x        | 'seed' is no whole number.
			speed       | 1        | Unknown argument 'speed'.
			rate        | 90000/s  | 10,800,000 messages are more than the 5,000,000 that are simulated.""")
	void whatCanNotBeSimulatedIsRefused(String name, String value, String says) {
		Map<String, String> arguments = new TreeMap<>(LOAD);
		arguments.put(name, value);
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> ask("Order", arguments))
			.withMessageStartingWith(says)
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(400));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					no.such.key                          | 7 | 1 | Spring's default of one instance, as spring.rabbitmq.listener.simple.concurrency is not set
					simple.concurrency                   | 7 | 7 | spring.rabbitmq.listener.simple.concurrency of one instance
					simple.max-concurrency               | 7 | 7 | spring.rabbitmq.listener.simple.max-concurrency of one instance
					direct.consumers-per-queue           | 7 | 1 | Spring's default of one instance, as spring.rabbitmq.listener.simple.concurrency is not set""")
	void theConsumersOfTheConfigurationAreAssumedAndNamed(String key, String value, String number, String why) {
		this.environment.setProperty("spring.rabbitmq.listener." + key, value);
		JsonNode one = ask("Order", LOAD).path("simulations").path(0);
		assertThat(one.path("load").path("concurrency").asString()).isEqualTo(number);
		assertThat(one.path("assumed").path(0).asString()).isEqualTo("concurrency: %s, %s".formatted(number, why));
	}

	@Test
	void theConsumersOfDirectContainersAreThoseOfTheirKey() {
		this.environment.setProperty("spring.rabbitmq.listener.type", "direct");
		this.environment.setProperty("spring.rabbitmq.listener.direct.consumers-per-queue", "3");
		assertThat(ask("Order", LOAD).path("simulations").path(0).path("load").path("concurrency").asString())
			.isEqualTo("3");
	}

	@Test
	void consumersThatAreGivenAreNotAssumed() {
		Map<String, String> arguments = new TreeMap<>(LOAD);
		arguments.putAll(Map.of("concurrency", "4", "outageAt", "30s"));
		JsonNode one = ask("Order", arguments).path("simulations").path(0);
		assertThat(one.path("assumed")).isEmpty();
		assertThat(one.path("load").path("outageAt").asString()).isEqualTo("PT30S");
		assertThat(one.path("minutes").path(0).path("failedCalls").asLong()).isEqualTo(150);
	}

	@Test
	void noTimeNeedsNoUnit() {
		Map<String, String> arguments = new TreeMap<>(LOAD);
		arguments.put("handlerTime", "0");
		assertThat(ask("Order", arguments).path("simulations").path(0).path("load").path("handlerTime").asString())
			.isEqualTo("PT0S");
	}

	@Test
	void aPolicyThatIsNotThereIsNotFound() {
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> ask("Refund", LOAD))
			.withMessage("There is no message policy 'Refund'; there are Order.")
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(404));
	}

}
