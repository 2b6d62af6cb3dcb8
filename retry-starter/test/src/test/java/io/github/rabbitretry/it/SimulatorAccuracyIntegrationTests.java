/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the simulator says, and what a broker does: three scenarios at a time, delays
 * scaled to seconds. Run while nothing else is, as times are compared.
 */
@Tag("alone")
class SimulatorAccuracyIntegrationTests {

	private static final int RATE = 20;

	private static final Duration ARRIVING = Duration.ofSeconds(30);

	private static final Map<String, Duration> OUTAGES = Map.of("Fixed", Duration.ofHours(1), "Exponential",
			Duration.ofSeconds(34), "Aged", Duration.ofHours(1));

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void remove() {
		OUTAGES.keySet().forEach((type) -> this.broker.deleteAll(Application.queue(type)));
		this.broker.close();
	}

	@Test
	void parkedMessagesAndTheLastRetryAreThoseOfABroker() throws Exception {
		Application.reset();
		try (ConfigurableApplicationContext application = start()) {
			Map<String, Simulation> expected = new LinkedHashMap<>();
			for (MessagePolicy policy : application.getBean(MessagePolicies.class).all()) {
				expected.put(policy.messageType(), new PolicySimulator().simulate(policy,
						SimulatedLoad.of(RATE, OUTAGES.get(policy.messageType())).lasting(ARRIVING)));
			}
			publish();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(500))
				.atMost(Duration.ofMinutes(3))
				.until(() -> expected.values().stream().allMatch(this::isDone));
			expected.forEach((type, simulation) -> {
				long parked = parked(type);
				Duration lastRetry = Duration.ofNanos(Application.lastRetry.get(type).get() - Application.began);
				System.out.printf("simulator: %s parked %d of %d expected, last retry %s of %s expected%n", type,
						parked, simulation.allParked(), lastRetry, simulation.lastRetry());
				assertThat(parked).as("%s, parked", type)
					.isCloseTo(simulation.allParked(), Offset.offset(Math.round(0.02 * simulation.allParked())));
				assertThat(lastRetry).as("%s, last retry", type)
					.isCloseTo(simulation.lastRetry(), Duration.ofMillis(simulation.lastRetry().toMillis() / 50));
			});
			assertThat(expected.get("Fixed").parked()).containsOnlyKeys(Reasons.RETRY_BUDGET_EXHAUSTED);
			assertThat(expected.get("Exponential").succeeded()).as("most recover").isGreaterThan(300);
			assertThat(expected.get("Exponential").allParked()).isPositive();
			assertThat(expected.get("Aged").parked()).containsOnlyKeys(Reasons.RETRY_AGE_EXCEEDED);
		}
	}

	private void publish() throws Exception {
		Application.began = System.nanoTime();
		BasicProperties properties = new BasicProperties.Builder().deliveryMode(2).build();
		long messages = RATE * ARRIVING.toSeconds();
		for (int message = 0; message < messages; message++) {
			long due = Application.began + message * TimeUnit.SECONDS.toNanos(1) / RATE;
			while (System.nanoTime() < due) {
				LockSupport.parkNanos(due - System.nanoTime());
			}
			for (String type : OUTAGES.keySet()) {
				this.broker.channel().basicPublish("", Application.queue(type), true, properties, new byte[0]);
			}
		}
		this.broker.channel().waitForConfirmsOrDie(10_000);
	}

	/** All messages have ended, and those that are parked are there to be counted. */
	private boolean isDone(Simulation expected) {
		String type = expected.messageType();
		return parked(type) + Application.succeeded.get(type).get() == expected.messages();
	}

	private long parked(String type) {
		try {
			return this.broker.channel().messageCount(Application.queue(type) + ".parking-lot");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ConfigurableApplicationContext start() {
		// not the configuration of the other tests
		return TestApplication.start(Application.class, "spring.config.name=simulator",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.defaults.max-retry-age=1h",
				"spring.rabbitmq.listener.simple.concurrency=2",
				"rabbit-retry.message-policies.Fixed.queue=" + Application.FIXED,
				"rabbit-retry.message-policies.Fixed.retry-backoff=fixed",
				"rabbit-retry.message-policies.Fixed.initial-delay=5s",
				"rabbit-retry.message-policies.Fixed.broker-attempts=4",
				"rabbit-retry.message-policies.Exponential.queue=" + Application.EXPONENTIAL,
				"rabbit-retry.message-policies.Exponential.retry-backoff=exponential",
				"rabbit-retry.message-policies.Exponential.initial-delay=3s",
				"rabbit-retry.message-policies.Exponential.multiplier=2",
				"rabbit-retry.message-policies.Exponential.broker-attempts=3",
				"rabbit-retry.message-policies.Aged.queue=" + Application.AGED,
				"rabbit-retry.message-policies.Aged.retry-backoff=exponential-jitter",
				"rabbit-retry.message-policies.Aged.initial-delay=2s",
				"rabbit-retry.message-policies.Aged.multiplier=2", "rabbit-retry.message-policies.Aged.max-delay=10s",
				"rabbit-retry.message-policies.Aged.jitter=0.5",
				"rabbit-retry.message-policies.Aged.broker-attempts=20",
				"rabbit-retry.message-policies.Aged.max-retry-age=25s",
				"logging.level.io.github.rabbitretry.decisions=warn");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final String FIXED = "simulated.fixed";

		static final String EXPONENTIAL = "simulated.exponential";

		static final String AGED = "simulated.aged";

		static volatile long began;

		static final Map<String, LongAccumulator> lastRetry = new ConcurrentHashMap<>();

		static final Map<String, LongAccumulator> succeeded = new ConcurrentHashMap<>();

		static void reset() {
			for (String type : OUTAGES.keySet()) {
				lastRetry.put(type, new LongAccumulator(Math::max, 0));
				succeeded.put(type, new LongAccumulator(Long::sum, 0));
			}
		}

		static String queue(String type) {
			return "simulated." + type.toLowerCase(Locale.ROOT);
		}

		@RabbitListener(queues = FIXED)
		void fixed(Message message) {
			handle("Fixed", message);
		}

		@RabbitListener(queues = EXPONENTIAL)
		void exponential(Message message) {
			handle("Exponential", message);
		}

		@RabbitListener(queues = AGED)
		void aged(Message message) {
			handle("Aged", message);
		}

		private static void handle(String type, Message message) {
			long now = System.nanoTime();
			if (message.getMessageProperties().getHeader("x-app-retry-attempt") != null) {
				lastRetry.get(type).accumulate(now);
			}
			if (now - began < OUTAGES.get(type).toNanos()) {
				throw new IllegalStateException("down");
			}
			succeeded.get(type).accumulate(1);
		}

	}

}
