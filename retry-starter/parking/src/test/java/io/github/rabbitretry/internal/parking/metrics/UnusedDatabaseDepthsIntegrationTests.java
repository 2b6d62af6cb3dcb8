/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.it.TestBroker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class UnusedDatabaseDepthsIntegrationTests {

	private static final String QUEUE = "depth.unused";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext start() {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--rabbit-retry.message-policies.DepthOrder.queue=" + QUEUE,
				"--spring.datasource.url=jdbc:h2:mem:unused;DB_CLOSE_DELAY=-1"));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	@AfterEach
	void remove() throws Exception {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void anUnusedInMemoryDatabaseTellsNothingAndTheBrokerDoes() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			this.broker.send(QUEUE + ".parking-lot", TestBroker.json("parked").build(), "{}");
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			// asked for every 30 s
			await().atMost(Duration.ofSeconds(75))
				.untilAsserted(() -> assertThat(gauge(registry, "parking.lot.depth")).isEqualTo(1));
			assertThat(gauge(registry, "parking.lot.oldest.age.seconds")).isNotNegative();
		}
	}

	private static double gauge(MeterRegistry registry, String name) {
		return registry.get(name).tag("message_type", "DepthOrder").gauge().value();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

	}

}
