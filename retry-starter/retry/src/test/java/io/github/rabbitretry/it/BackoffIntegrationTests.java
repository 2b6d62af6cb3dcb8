/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.rabbitmq.client.GetResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every back-off and every budget of time, as a reader of the YAML expects it, on a real
 * broker.
 */
class BackoffIntegrationTests {

	private static final String QUEUE = "backoff.order";

	private static final String POLICY = "rabbit-retry.message-policies.Order.";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void forget() {
		Application.deliveries.clear();
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			retry-backoff=fixed initial-delay=300ms                                       | 300 300 300
			retry-backoff=linear initial-delay=300ms                                      | 300 600 900
			retry-backoff=exponential initial-delay=300ms multiplier=2                    | 300 600 1200
			retry-backoff=exponential initial-delay=300ms multiplier=9 max-delay=700ms    | 300 700 700
			retry-backoff=schedule schedule=200ms,700ms                                   | 200 700 700
			retry-backoff=schedule schedule=400ms,100ms,300ms                             | 400 100 300
			""")
	void everyBackoffIsKeptToItsDelays(String properties, String delays) {
		start(properties + " broker-attempts=3");
		fail();
		assertThat(parked()).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
		assertThat(delays()).containsExactly(delays.split(" "));
		assertNeverEarly();
	}

	@Test
	void jitterStaysWithinItsWindow() {
		start("retry-backoff=exponential-jitter initial-delay=500ms multiplier=2 jitter=0.5 broker-attempts=3");
		fail();
		parked();
		assertThat(delays().get(0)).isIn("500", "750");
		assertThat(delays().get(1)).isIn("1000", "1250", "1500");
		assertThat(delays().get(2)).isIn("2000", "2250", "2500", "2750", "3000");
		assertNeverEarly();
	}

	@Test
	void aMessageThatFailsOutsideBusinessHoursWaitsForTheNextOpening() {
		// wherever it is about noon, so that midnight is far
		ZoneOffset zone = ZoneOffset.ofHours(12 - Instant.now().atOffset(ZoneOffset.UTC).getHour());
		LocalTime opens = LocalTime.now(zone).plusSeconds(15).truncatedTo(ChronoUnit.SECONDS);
		start("retry-backoff=calendar initial-delay=200ms broker-attempts=2 max-retry-age=3d calendar.zone=" + zone
				+ " calendar.opens=" + opens + " calendar.days=MON,TUE,WED,THU,FRI,SAT,SUN calendar.closes="
				+ opens.plusMinutes(2));
		fail();
		parked();
		assertThat(Application.deliveries).hasSize(3);
		List<Delivery> deliveries = List.copyOf(Application.deliveries);
		Instant opening = opens.atDate(Instant.now().atOffset(zone).toLocalDate()).toInstant(zone);
		assertThat(deliveries.get(1).at()).isBetween(opening, opening.plusSeconds(5));
		assertThat(delays().get(1)).isEqualTo("200");
	}

	@Test
	void theSumOfTheDelaysIsBounded() {
		start("retry-backoff=fixed initial-delay=300ms broker-attempts=9 max-cumulative-delay=800ms");
		fail();
		assertThat(parked()).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-retry-attempt", "2")
			.containsEntry("x-app-cumulative-delay", "600");
	}

	@Test
	void threeBrokerAttemptsAreFourDeliveries() {
		start("retry-backoff=fixed initial-delay=100ms broker-attempts=3");
		fail();
		parked();
		assertThat(Application.deliveries).hasSize(4);
	}

	@Test
	void thePresetOfTdmqHasSixteenAttemptsAfterOneAndFiveSeconds() {
		start("retry-backoff=schedule schedule=tdmq max-cumulative-delay=6s");
		fail();
		assertThat(parked()).containsEntry("x-app-retry-max", "16");
		assertThat(delays()).containsExactly("1000", "5000");
		assertNeverEarly();
	}

	private void start(String properties) {
		List<String> arguments = new ArrayList<>(
				List.of(POLICY + "queue=" + QUEUE, POLICY + "local-attempts=1", POLICY + "owner=team-orders"));
		for (String property : properties.split(" +")) {
			arguments.add(POLICY + property);
		}
		this.application = TestApplication.start(Application.class, arguments.toArray(String[]::new));
	}

	private void fail() {
		this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
	}

	private Map<String, Object> parked() {
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		return TestBroker.text(parked);
	}

	private static List<String> delays() {
		return Application.deliveries.stream().skip(1).map((delivery) -> String.valueOf(delivery.delay())).toList();
	}

	private static void assertNeverEarly() {
		List<Delivery> deliveries = List.copyOf(Application.deliveries);
		for (int index = 1; index < deliveries.size(); index++) {
			Duration delay = Duration.ofMillis(deliveries.get(index).delay());
			assertThat(Duration.between(deliveries.get(index - 1).at(), deliveries.get(index).at()))
				.isGreaterThanOrEqualTo(delay)
				.isLessThan(delay.plusSeconds(5));
		}
	}

	/**
	 * A call of the handler.
	 *
	 * @param at when
	 * @param delay what the message waited for before, in milliseconds
	 */
	record Delivery(Instant at, long delay) {
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			Object delay = message.getMessageProperties().getHeaders().get("x-app-retry-delay");
			deliveries.add(new Delivery(Instant.now(), (delay != null) ? ((Number) delay).longValue() : 0));
			throw new IllegalStateException("never mind");
		}

	}

}
