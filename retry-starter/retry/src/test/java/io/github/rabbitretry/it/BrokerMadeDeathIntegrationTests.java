/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("smoke")
class BrokerMadeDeathIntegrationTests {

	private static final String QUEUE = "death.order";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		this.application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.exchange=death.orders",
				"rabbit-retry.message-policies.Order.routing-keys=created",
				"rabbit-retry.message-policies.Order.delivery-limit=2",
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms");
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		for (String queue : List.of(QUEUE, QUEUE + ".parking-lot", QUEUE + ".dlq", QUEUE + ".retry.200ms")) {
			this.broker.channel().queueDelete(queue);
		}
		this.broker.channel().exchangeDelete("death.orders");
		this.broker.close();
	}

	@Test
	void byTheDeliveryLimitEndsInTheParkingLotAsPoison() throws Exception {
		this.broker.channel()
			.basicPublish("death.orders", "created", true, TestBroker.json("m-1").build(), "{}".getBytes());
		Channel crashing = this.broker.channel().getConnection().createChannel();
		Map<String, Object> headers = null;
		for (int crash = 0; crash < 20 && headers == null; crash++) {
			// a consumer that dies with the delivery in its hands
			GetResponse delivery = crashing.basicGet(QUEUE, false);
			if (delivery != null) {
				crashing.basicReject(delivery.getEnvelope().getDeliveryTag(), true);
			}
			GetResponse parked = this.broker.channel().basicGet(QUEUE + ".parking-lot", true);
			headers = (parked != null) ? RetryLifecycleIntegrationTests.text(parked) : null;
		}
		if (headers == null) {
			headers = RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot"));
		}
		assertThat(headers).containsEntry("x-app-retry-reason", "DELIVERY_LIMIT")
			.containsEntry("x-app-retry-class", "poison")
			.containsEntry("x-app-message-type", "Order")
			.containsEntry("x-app-origin-exchange", "death.orders")
			.containsEntry("x-app-origin-routing-key", "created")
			.containsEntry("x-app-origin-queue", QUEUE)
			.containsKeys("x-app-parked-at", "x-app-failure-fingerprint", "x-app-payload-hash")
			.doesNotContainKeys("x-death", "x-delivery-count");
		assertCounted("DELIVERY_LIMIT");
	}

	@Test
	void byRejectionEndsInTheParkingLot() throws Exception {
		this.broker.sendJson(QUEUE, "m-2", Map.of("x-app-retry-attempt", 2), "{}");
		GetResponse delivery = Awaitility.await()
			.until(() -> this.broker.channel().basicGet(QUEUE, false), (got) -> got != null);
		this.broker.channel().basicReject(delivery.getEnvelope().getDeliveryTag(), false);
		Map<String, Object> headers = RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot"));
		assertThat(headers).containsEntry("x-app-retry-reason", "REJECTED")
			.containsEntry("x-app-retry-class", "poison")
			.containsEntry("x-app-retry-attempt", "2");
		assertCounted("REJECTED");
	}

	@Test
	void byExpiryEndsInTheParkingLotAndCannotExpireThere() {
		this.broker.send(QUEUE, TestBroker.json("m-3").expiration("100").build(), "{}");
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		assertThat(parked.getProps().getExpiration()).isNull();
		assertThat(RetryLifecycleIntegrationTests.text(parked)).containsEntry("x-app-retry-reason", "EXPIRED")
			.containsEntry("x-app-retry-class", "transient");
		assertCounted("EXPIRED");
	}

	@Test
	void ofWhatSomebodyPutIntoTheDeadLetterQueueIsUnknown() {
		this.broker.sendJson(QUEUE + ".dlq", "m-4", Map.of(), "{}");
		assertThat(RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot")))
			.containsEntry("x-app-retry-reason", "UNKNOWN_FAILURE")
			.containsEntry("x-app-retry-class", "unknown");
	}

	private void assertCounted(String reason) {
		MeterRegistry meters = this.application.getBean(MeterRegistry.class);
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(meters.get("messages.dead.lettered")
				.tags("message_type", "Order", "reason", reason)
				.counter()
				.count()).isEqualTo(1);
			assertThat(meters.get("parking.lot.messages")
				.tags("message_type", "Order", "reason", reason)
				.counter()
				.count()).isEqualTo(1);
		});
		assertThat(meters.get("rabbit.retry.deliveries").tags("outcome", "parked").counter().count()).isZero();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
