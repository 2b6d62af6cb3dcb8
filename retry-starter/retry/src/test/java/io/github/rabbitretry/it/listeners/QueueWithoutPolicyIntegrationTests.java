/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A queue without a policy, of a listener whose other queue has one: as without the
 * starter.
 */
class QueueWithoutPolicyIntegrationTests {

	private static final String WITHOUT = "mixed.without";

	private static final String REJECTED = "mixed.rejected";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void delete() {
		List.of("mixed.with", WITHOUT, REJECTED).forEach(this.broker::deleteAll);
		this.broker.close();
	}

	@ParameterizedTest
	@EnumSource
	void isSettledAsSpringAmqpDoes(ContainerType container) throws IOException {
		Application.handled.clear();
		this.broker.channel().queueDeclare(REJECTED, true, false, false, null);
		this.broker.channel()
			.queueDeclare(WITHOUT, true, false, false,
					Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", REJECTED));
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"spring.rabbitmq.listener.type=" + container, "rabbit-retry.defaults.broker-attempts=0",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.With.queue=mixed.with")) {
			for (String body : List.of("fine", "reject", "convert", "acknowledge")) {
				this.broker.sendJson(WITHOUT, body, Map.of(), body);
			}
			assertThat(List.of(this.broker.take(REJECTED), this.broker.take(REJECTED)))
				.extracting((message) -> message.getProps().getMessageId())
				.containsExactlyInAnyOrder("reject", "convert");
			Awaitility.await().until(() -> Application.handled.contains("acknowledge"));
			assertThat(Application.handled).hasSize(4);
			this.broker.sendJson(WITHOUT, "again", Map.of(), "again");
			Awaitility.await().until(() -> Application.handled.contains("again, the third time"));
			this.broker.sendJson("mixed.with", "reject", Map.of(), "reject");
			assertThat(TestBroker.text(this.broker.take("mixed.with.parking-lot"))).containsEntry("x-app-retry-reason",
					"REJECTED");
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.broker.ready(WITHOUT)).isZero();
		assertThat(this.broker.ready(REJECTED)).isZero();
		assertThat(this.broker.ready("mixed.with")).isZero();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = { WITHOUT, "mixed.with" })
		void handle(Message message) {
			String body = new String(message.getBody());
			handled.add(body);
			switch (body) {
				case "reject" -> throw new AmqpRejectAndDontRequeueException("no");
				case "convert" -> throw new MessageConversionException("no");
				case "acknowledge" -> throw new ImmediateAcknowledgeAmqpException("no");
				case "again" -> {
					if (handled.stream().filter("again"::equals).count() < 3) {
						throw new IllegalStateException("not yet");
					}
					handled.add("again, the third time");
				}
				default -> {
				}
			}
		}

	}

}
