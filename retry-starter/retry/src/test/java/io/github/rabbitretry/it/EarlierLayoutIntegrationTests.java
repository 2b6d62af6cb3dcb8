/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The queues of earlier builds: a ladder for each message type, one that services share,
 * and three retry queues for each attempt with jitter.
 */
class EarlierLayoutIntegrationTests {

	private static final String QUEUE = "earlier.order";

	private final TestBroker broker = TestBroker.connect();

	private final Channel channel = this.broker.channel();

	@AfterEach
	void remove() {
		this.broker.deleteAll(QUEUE);
		for (String name : List.of("earlier.shared.250ms", "earlier.shared.500ms", "earlier.shared.delivery",
				"earlier.shared")) {
			this.broker.deleteAll(name);
		}
		this.broker.close();
	}

	@Test
	void messagesThatWaitInItComeBackToTheNewVersion() throws Exception {
		Application.handled.clear();
		declare();
		publish(QUEUE + ".retry", QUEUE + ".retry.5500ms", "jitter");
		publish(QUEUE + ".delay", "0.".repeat(20) + "1.1." + QUEUE, "ladder");
		publish("earlier.shared", "0.".repeat(20) + "1.0." + QUEUE, "shared");
		publish(QUEUE + ".dlx", QUEUE + ".dlq", "dead");
		this.channel.waitForConfirmsOrDie(5000);
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=exponential-jitter")) {
			assertThat(application.isActive()).isTrue();
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(Application.handled).containsExactlyInAnyOrder("jitter", "ladder", "shared"));
			assertThat(this.broker.take(QUEUE + ".parking-lot").getProps().getMessageId()).isEqualTo("dead");
			for (String queue : Set.of(".retry.5500ms", ".delay.250ms", ".delay.500ms", ".undeliverable")) {
				assertThat(this.broker.ready(QUEUE + queue)).as(queue).isZero();
			}
		}
	}

	private void publish(String exchange, String key, String id) throws IOException {
		this.channel.basicPublish(exchange, key, true, TestBroker.json(id).build(), "{}".getBytes());
	}

	/** As the build before declared it, but for levels and exchanges of the same kind. */
	private void declare() throws IOException {
		this.channel.exchangeDeclare(QUEUE + ".dlx", "direct", true);
		this.channel.exchangeDeclare(QUEUE + ".retry", "direct", true);
		queue(QUEUE + ".parking-lot", Map.of("x-delivery-limit", -1));
		queue(QUEUE + ".undeliverable", Map.of("x-delivery-limit", -1));
		queue(QUEUE + ".dlq", Map.of("x-dead-letter-exchange", QUEUE + ".dlx", "x-dead-letter-routing-key",
				QUEUE + ".undeliverable", "x-dead-letter-strategy", "at-least-once", "x-delivery-limit", 25));
		queue(QUEUE, Map.of("x-dead-letter-exchange", QUEUE + ".dlx", "x-dead-letter-routing-key", QUEUE + ".dlq",
				"x-dead-letter-strategy", "at-least-once", "x-delivery-limit", 5));
		for (String queue : List.of(".parking-lot", ".undeliverable", ".dlq")) {
			this.channel.queueBind(QUEUE + queue, QUEUE + ".dlx", QUEUE + queue);
		}
		this.channel.queueBind(QUEUE, QUEUE + ".retry", QUEUE);
		queue(QUEUE + ".retry.5500ms", Map.of("x-dead-letter-exchange", QUEUE + ".retry", "x-dead-letter-routing-key",
				QUEUE, "x-dead-letter-strategy", "at-least-once", "x-message-ttl", 5500));
		this.channel.queueBind(QUEUE + ".retry.5500ms", QUEUE + ".retry", QUEUE + ".retry.5500ms");
		ladder(QUEUE + ".delay");
		ladder("earlier.shared");
	}

	private void ladder(String prefix) throws IOException {
		for (String exchange : List.of("", ".delivery", ".250ms")) {
			this.channel.exchangeDeclare(prefix + exchange, "topic", true);
		}
		queue(prefix + ".250ms", Map.of("x-dead-letter-exchange", prefix + ".delivery", "x-dead-letter-strategy",
				"at-least-once", "x-message-ttl", 2500));
		queue(prefix + ".500ms", Map.of("x-dead-letter-exchange", prefix + ".250ms", "x-dead-letter-strategy",
				"at-least-once", "x-message-ttl", 500));
		this.channel.queueBind(prefix + ".250ms", prefix, "0.".repeat(21) + "1.#");
		this.channel.queueBind(prefix + ".500ms", prefix, "0.".repeat(20) + "1.#");
		this.channel.queueBind(prefix + ".250ms", prefix + ".250ms", "*.".repeat(21) + "1.#");
		this.channel.exchangeBind(prefix + ".delivery", prefix + ".250ms", "*.".repeat(21) + "0.#");
		this.channel.queueBind(QUEUE, prefix + ".delivery", "*.".repeat(22) + QUEUE);
	}

	private void queue(String name, Map<String, Object> arguments) throws IOException {
		Map<String, Object> all = new TreeMap<>(arguments);
		all.put("x-queue-type", "quorum");
		all.put("x-overflow", "reject-publish");
		this.channel.queueDeclare(name, true, false, false, all);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
		}

	}

}
