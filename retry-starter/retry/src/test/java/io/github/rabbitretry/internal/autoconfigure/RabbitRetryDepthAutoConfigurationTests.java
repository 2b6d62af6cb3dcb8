/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.metrics.DepthMetrics;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryDepthAutoConfigurationTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryDepthAutoConfiguration.class,
				RabbitRetryMetricsAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	@Test
	void depthsAreThereWithoutMicrometerToo() {
		this.application.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(BrokerDepths.class)
				.doesNotHaveBean("rabbitRetryDepthMetrics"));
		this.application.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DepthMetrics.class));
	}

	@Test
	void withARegistryTheyAreMeters() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(DepthMetrics.class);
			MeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(DepthMetrics.class).bindTo(registry);
			assertThat(registry.find("parking.lot.depth").tags("message_type", "Order", "owner", "team-orders").gauge())
				.isNotNull();
			assertThat(registry.find("rabbit.retry.waiting.depth").tag("message_type", "Order").gauges()).isNotEmpty();
		});
	}

	@Test
	void whatTheLedgerTellsIsNotToldTwice() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(ParkedDepths.class,
					() -> new ParkedDepths(Map::of, Duration.ofSeconds(1), InstantSource.system()))
			.run((context) -> {
				MeterRegistry registry = new SimpleMeterRegistry();
				context.getBean(DepthMetrics.class).bindTo(registry);
				assertThat(registry.find("parking.lot.depth").gauges()).isEmpty();
				assertThat(registry.find("rabbit.retry.waiting.depth").gauges()).isNotEmpty();
			});
	}

	@Test
	void beansOfTheUsersOwnReplaceOurs() {
		BrokerDepths own = new BrokerDepths(new CachingConnectionFactory("127.0.0.1", 1),
				new MessagePolicies(List.of()), InstantSource.system());
		this.application.withBean(BrokerDepths.class, () -> own)
			.run((context) -> assertThat(context.getBean(BrokerDepths.class)).isSameAs(own));
	}

	@Test
	void withoutPoliciesThereIsNothing() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RabbitRetryDepthAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BrokerDepths.class));
	}

}
