/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class RingKindsIntegrationTests {

	private static final String[] POLICIES = { "rabbit-retry.message-policies.Order.queue=kinds.order",
			"rabbit-retry.message-policies.Order.exchange=kinds.orders",
			"rabbit-retry.message-policies.Order.routing-keys=order.created",
			"rabbit-retry.message-policies.Export.queue=export.kinds.order", "rabbit-retry.defaults.broker-attempts=3",
			"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.defaults.retry-backoff=fixed",
			"rabbit-retry.defaults.initial-delay=300ms" };

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void remove() throws Exception {
		for (RetryQueueScope ring : RetryQueueScope.values()) {
			for (String queue : List.of("kinds.order", "export.kinds.order")) {
				MessageTopology topology = MessageTopology.of(queue)
					.boundTo("kinds.orders", List.of())
					.ring(ring)
					.delays(List.of(Duration.ofMillis(300)))
					.build();
				for (QueueDefinition model : topology.ownQueues()) {
					this.broker.channel().queueDelete(model.name());
				}
				for (String exchange : List.of("kinds.orders", topology.ringExchange(),
						topology.deadLetterExchange())) {
					this.broker.channel().exchangeDelete(exchange);
				}
			}
		}
		this.broker.close();
	}

	@ParameterizedTest
	@EnumSource(RetryQueueScope.class)
	void bringEachMessageBackToItsTypeAndKeepItsOrigin(RetryQueueScope ring) throws Exception {
		Application.seen.clear();
		try (ConfigurableApplicationContext application = start(ring)) {
			this.broker.channel()
				.basicPublish("kinds.orders", "order.created", true, TestBroker.json("m").build(), "{}".getBytes());
			this.broker.sendJson("export.kinds.order", "n", Map.of(), "{}");
			GetResponse order = this.broker.take("kinds.order.parking-lot");
			GetResponse export = this.broker.take("export.kinds.order.parking-lot");
			assertThat(application.isActive()).isTrue();
			assertThat(RetryLifecycleIntegrationTests.text(order)).containsEntry("x-app-retry-attempt", "3")
				.containsEntry("x-app-origin-exchange", "kinds.orders")
				.containsEntry("x-app-origin-routing-key", "order.created")
				.containsEntry("x-app-origin-queue", "kinds.order");
			assertThat(RetryLifecycleIntegrationTests.text(export)).containsEntry("x-app-retry-attempt", "3")
				.containsEntry("x-app-origin-exchange", "")
				.containsEntry("x-app-origin-routing-key", "export.kinds.order");
			assertThat(order.getProps().getHeaders().keySet()).noneMatch(BrokerHeaders::madeByBroker);
		}
		assertThat(Application.seen).containsExactlyInAnyOrder("kinds.order m 0 null null",
				"kinds.order m 1 kinds.orders order.created", "kinds.order m 2 kinds.orders order.created",
				"kinds.order m 3 kinds.orders order.created", "export.kinds.order n 0 null null",
				"export.kinds.order n 1  export.kinds.order", "export.kinds.order n 2  export.kinds.order",
				"export.kinds.order n 3  export.kinds.order");
	}

	@Test
	void shareTheirLadderWithServicesOfOtherPolicies() throws Exception {
		start(RetryQueueScope.SHARED).close();
		start(RetryQueueScope.SHARED, "rabbit-retry.defaults.max-retry-age=10m").close();
		start(RetryQueueScope.SHARED, "rabbit-retry.topology.mode=verify").close();
		this.broker.channel().exchangeDelete(DelayLadder.NAME + ".16s");
		assertThatException().isThrownBy(() -> start(RetryQueueScope.SHARED, "rabbit-retry.topology.mode=verify"))
			.withMessageContaining("exchange '%s.16s': it does not exist".formatted(DelayLadder.NAME));
		start(RetryQueueScope.SHARED).close();
	}

	private static ConfigurableApplicationContext start(RetryQueueScope ring, String... more) {
		String[] all = new String[POLICIES.length + more.length + 1];
		System.arraycopy(POLICIES, 0, all, 0, POLICIES.length);
		System.arraycopy(more, 0, all, POLICIES.length, more.length);
		all[all.length - 1] = "rabbit-retry.defaults.ring=" + ring;
		return TestApplication.start(Application.class, all);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = { "kinds.order", "export.kinds.order" })
		void handle(Message message) {
			Map<String, Object> headers = message.getMessageProperties().getHeaders();
			int attempt = (int) headers.getOrDefault("x-app-retry-attempt", 0);
			seen.add("%s %s %d %s %s".formatted(message.getMessageProperties().getConsumerQueue(),
					message.getMessageProperties().getMessageId(), attempt, headers.get("x-app-origin-exchange"),
					headers.get("x-app-origin-routing-key")));
			if (attempt == 1) {
				// beside the levels of the back-off
				throw new AskedDelayException(Duration.ofMillis(1_700));
			}
			throw new IllegalStateException("no");
		}

	}

}
