/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.metrics.DepthMetrics;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.it.TestBroker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BrokerDepthsIntegrationTests {

	private static final String QUEUE = "depth.order";

	private static final String WATCHER = "depth-watcher";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext start(String... more) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--rabbit-retry.message-policies.DepthOrder.queue=" + QUEUE,
				"--rabbit-retry.message-policies.DepthOrder.owner=team-orders",
				"--rabbit-retry.message-policies.DepthOrder.local-attempts=1",
				"--rabbit-retry.message-policies.DepthOrder.broker-attempts=1",
				"--rabbit-retry.message-policies.DepthOrder.retry-backoff=fixed",
				"--rabbit-retry.message-policies.DepthOrder.initial-delay=1h",
				"--rabbit-retry.message-policies.DepthOrder.max-retry-age=2h"));
		arguments.addAll(List.of(more));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	@AfterEach
	void remove() throws Exception {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
		Broker.shared().management().delete("/api/users/" + WATCHER);
	}

	@Test
	void whatWaitsAndIsParkedIsKnownToAUserWhoMayOnlyRead() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			for (int number = 0; number < 3; number++) {
				this.broker.send(QUEUE, TestBroker.json("m" + number).build(), "{}");
			}
			this.broker.send(QUEUE + ".parking-lot", TestBroker.json("parked").build(), "{}");
			BrokerDepths depths = context.getBean(BrokerDepths.class);
			Instant before = Instant.now();
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				assertThat(waiting(depths)).singleElement().satisfies((waiting) -> {
					assertThat(waiting.messageType()).isEqualTo("DepthOrder");
					assertThat(waiting.delay()).isEqualTo(Duration.ofHours(1));
					assertThat(waiting.messages()).isEqualTo(3);
					assertThat(waiting.backBy()).isBetween(before.plusSeconds(3600), Instant.now().plusSeconds(3600));
				});
				assertThat(depths.parked())
					.containsExactly(new ParkingLotDepth("DepthOrder", "team-orders", QUEUE + ".parking-lot", 1));
			});
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				assertThat(gauge(registry, "rabbit.retry.waiting.depth")).isEqualTo(3);
				assertThat(gauge(registry, "rabbit.retry.waiting.oldest.age.seconds")).isPositive();
				assertThat(gauge(registry, "parking.lot.depth")).isEqualTo(1);
				assertThat(gauge(registry, "parking.lot.oldest.age.seconds")).isPositive();
			});
			anybodyMayAsk(context.getBean(MessagePolicies.class));
		}
	}

	/** Those of a ladder, for other delays than the schedule's, are empty. */
	private static List<WaitingRetries> waiting(BrokerDepths depths) {
		return depths.waiting().stream().filter((waiting) -> waiting.messages() > 0).toList();
	}

	private static double gauge(MeterRegistry registry, String name) {
		return registry.get(name)
			.tag("message_type", "DepthOrder")
			.tags(name.startsWith("rabbit") ? List.of(Tag.of("delay", "PT1H")) : List.of())
			.gauge()
			.value();
	}

	/**
	 * Who may do nothing is told nothing, at most: RabbitMQ 4.3 refuses, 4.0 does not.
	 */
	private static void anybodyMayAsk(MessagePolicies policies) {
		Broker shared = Broker.shared();
		shared.ctl("add_user", WATCHER, WATCHER);
		shared.ctl("set_permissions", "-p", shared.virtualHost(), WATCHER, "^$", "^$", "^depth\\.");
		CachingConnectionFactory factory = new CachingConnectionFactory(shared.host(), shared.port());
		try {
			factory.setUsername(WATCHER);
			factory.setPassword(WATCHER);
			factory.setVirtualHost(shared.virtualHost());
			BrokerDepths depths = new BrokerDepths(factory, policies, Instant::now);
			assertThat(waiting(depths)).extracting(WaitingRetries::messages).containsExactly(3L);
			assertThat(depths.parked()).extracting(ParkingLotDepth::messages).containsExactly(1L);
			shared.ctl("set_permissions", "-p", shared.virtualHost(), WATCHER, "^$", "^$", "^$");
			factory.resetConnection();
			assertThat(waiting(depths)).hasSizeLessThanOrEqualTo(1);
		}
		finally {
			factory.destroy();
		}
	}

	@Test
	void aQueueThatIsNotThereIsNotKnown() throws Exception {
		try (ConfigurableApplicationContext context = start(
				"--rabbit-retry.message-policies.DepthOrder.exact-delays=true")) {
			BrokerDepths depths = context.getBean(BrokerDepths.class);
			String gone = depths.queues().get(0).queue();
			assertThat(depths.waiting()).extracting(WaitingRetries::queue).contains(gone);
			this.broker.channel().queueDelete(gone);
			List<WaitingRetries> waiting = depths.waiting();
			assertThat(waiting).extracting(WaitingRetries::queue).isNotEmpty().doesNotContain(gone);
			assertThat(depths.parked()).hasSize(1);
			assertThat(depths.unknown(waiting, depths.parked())).containsExactly(gone);
		}
	}

	/** Each question is a line in the broker's log, and the end of a channel. */
	@Test
	void aQueueThatIsNotThereIsAskedForSeldom() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
			BrokerDepths depths = new BrokerDepths(context.getBean(ConnectionFactory.class),
					context.getBean(MessagePolicies.class), now::get);
			String lot = QUEUE + ".parking-lot";
			this.broker.channel().queueDelete(lot);
			assertThat(depths.parked()).isEmpty();
			this.broker.channel().queueDeclare(lot, true, false, false, Map.of("x-queue-type", "quorum"));
			assertThat(depths.parked()).as("not asked for again yet").isEmpty();
			now.set(now.get().plusSeconds(61));
			assertThat(depths.parked()).hasSize(1);
		}
	}

	@Test
	void theDepthOfAQueueThatIsNotThereIsUnknownAndNotZero() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().atMost(Duration.ofSeconds(30)).until(() -> gauge(registry, "parking.lot.depth") == 0);
			this.broker.channel().queueDelete(QUEUE + ".parking-lot");
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(gauge(registry, "parking.lot.depth")).isNaN());
			assertThat(gauge(registry, "parking.lot.oldest.age.seconds")).isNaN();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

		/** Which asks more often than every 30 s. */
		@Bean
		DepthMetrics metrics(BrokerDepths depths) {
			return new DepthMetrics(depths, true, Duration.ofSeconds(1), InstantSource.system());
		}

		@RabbitListener(queues = QUEUE)
		void handle(String body) {
			throw new IllegalStateException("not now");
		}

	}

}
