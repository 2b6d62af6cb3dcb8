/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnpublishableCopiesIntegrationTests {

	private static final String QUEUE = "unpublishable.order";

	private static TestBroker broker;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		application = TestApplication.start(Application.class, "rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.max-retry-age=1m", "spring.rabbitmq.listener.simple.prefetch=10");
	}

	@AfterAll
	static void stop() {
		application.close();
		broker.deleteAll(QUEUE);
		broker.close();
	}

	@Test
	void anUnpublishableMessageIsParkedAndTheNextOnesAreHandled() {
		byte[] bytes = new byte[200];
		Arrays.fill(bytes, (byte) 0xff);
		for (int number = 0; number < 20; number++) {
			broker.send(QUEUE, new RawProperties(bytes, bytes), "fail");
		}
		broker.send(QUEUE, TestBroker.json("after").build(), "ok after");
		Awaitility.await().untilAsserted(() -> assertThat(Application.HANDLED).contains("ok after"));
		for (int number = 0; number < 20; number++) {
			GetResponse parked = broker.take(QUEUE + ".parking-lot");
			String decoded = "\uFFFD".repeat(200);
			assertThat(parked.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("fail");
			assertThat(parked.getProps().getMessageId()).isNull();
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "UNPUBLISHABLE")
				.doesNotContainKey(decoded);
			assertThat(TestBroker.text(parked).get("x-app-unpublishable")).asString()
				.contains("property=message-id", "header=" + decoded, "value=value", "value=" + decoded);
		}
	}

	@Test
	void theBrokerRefusesTheReplyAddressOfAnotherClientAsTheCheckSays() throws Exception {
		Channel channel = broker.channel().getConnection().createChannel();
		BasicProperties properties = new BasicProperties.Builder().replyTo("amq.rabbitmq.reply-to").build();
		channel.confirmSelect();
		channel.basicPublish("", QUEUE, properties, new byte[0]);
		assertThatExceptionOfType(ShutdownSignalException.class).isThrownBy(() -> channel.waitForConfirms(10_000))
			.withMessageContaining("fast reply consumer does not exist");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

		@RabbitListener(queues = QUEUE)
		void on(Message message) {
			String body = new String(message.getBody(), StandardCharsets.UTF_8);
			if (body.startsWith("fail")) {
				throw new IllegalStateException("downstream is away");
			}
			HANDLED.add(body);
		}

	}

}
