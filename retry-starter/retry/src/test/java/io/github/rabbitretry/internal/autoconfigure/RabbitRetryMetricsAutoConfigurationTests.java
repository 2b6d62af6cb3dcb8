/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.metrics.MicrometerDeliveryListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetryMetricsAutoConfigurationTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryMetricsAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	@Test
	void whereThereIsARegistryDeliveriesAreCounted() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBean("rabbitRetryDeliveryListeners", DeliveryListener.class).received("Order");
			assertThat(context.getBean(MeterRegistry.class)
				.get("rabbit.retry.deliveries")
				.tags("message_type", "Order", "outcome", "received")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void theApplicationsQueuesAreNamedWithTheirVirtualHost() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("spring.rabbitmq.virtual-host=shop",
					"rabbit-retry.message-policies.Order.names.dead-letter-queue=order.failed",
					"rabbit-retry.message-policies.Order.exact-delays=true")
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).get("rabbit.retry.queue").gauges())
				.extracting((gauge) -> gauge.getId().getTag("vhost") + " " + gauge.getId().getTag("role") + " "
						+ gauge.getId().getTag("queue"))
				.contains("shop work order", "shop dead-letter order.failed", "shop parking-lot order.parking-lot",
						"shop quarantine order.quarantine", "shop retry order.retry.5s",
						"shop unroutable rabbit-retry.delay.v1.unroutable"));
	}

	@Test
	void bootsOwnRegistryIsOne() {
		this.application
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(MicrometerDeliveryListener.class));
	}

	@Test
	void withoutARegistryNothingIsCounted() {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(MicrometerDeliveryListener.class);
		});
	}

	@Test
	void withoutMicrometerTheRestWorks() {
		this.application.withClassLoader(new FilteredClassLoader("io.micrometer")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).hasBean("rabbitRetryDeliveryListeners");
			context.getBean("rabbitRetryDeliveryListeners", DeliveryListener.class).received("Order");
		});
	}

	@Test
	void withoutAPolicyNothingIsCounted() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitRetryAutoConfiguration.class,
					RabbitRetryMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).doesNotHaveBean(MicrometerDeliveryListener.class));
	}

	@Test
	void aListenerOfTheUsersOwnReplacesOurs() {
		MicrometerDeliveryListener own = new MicrometerDeliveryListener(new SimpleMeterRegistry(), List.of("Order"),
				(messageType) -> 0);
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(MicrometerDeliveryListener.class, () -> own)
			.run((context) -> assertThat(context.getBean(MicrometerDeliveryListener.class)).isSameAs(own));
	}

}
