/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners that still settle their messages themselves, in acknowledge mode AUTO.
 */
@ExtendWith(OutputCaptureExtension.class)
class SettlingListenersIntegrationTests {

	private static final List<String> QUEUES = List.of("settles.method", "settles.bean", "settles.batch");

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		Application.handled.clear();
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms",
				"rabbit-retry.message-policies.Method.queue=settles.method",
				"rabbit-retry.message-policies.Bean.queue=settles.bean",
				"rabbit-retry.message-policies.Batch.queue=settles.batch");
	}

	@AfterEach
	void stop() {
		this.application.close();
		QUEUES.forEach(this.broker::deleteAll);
		this.broker.close();
	}

	@Test
	void eachMessageIsHandledAndParkedOnce(CapturedOutput output) {
		for (int number = 0; number < 30; number++) {
			this.broker.sendJson("settles.method", "m-" + number, Map.of(), "\"ack\"");
		}
		Awaitility.await().until(() -> this.broker.ready("settles.method.parking-lot") == 30);
		assertThat(Application.handled).hasSize(30).doesNotHaveDuplicates();
		assertThat(this.broker.ready("settles.method.quarantine")).isZero();
		assertThat(this.broker.ready("settles.method")).isZero();
		assertThat(output).contains(
				"Listener 'Application#handle' calls Channel.basicAck, but Rabbit Retry settles the messages of its queue");
		assertThat(TestBroker.text(this.broker.take("settles.method.parking-lot"))).containsEntry("x-app-retry-reason",
				"ACKNOWLEDGEMENT_REFUSED");
	}

	@Test
	void noWayOfSettlingIsPossible() {
		List<String> ways = List.of("nack", "reject", "recover", "select", "commit", "close");
		for (String queue : List.of("settles.method", "settles.bean")) {
			ways.forEach((way) -> this.broker.sendJson(queue, queue + way, Map.of(), "\"" + way + "\""));
			Awaitility.await().until(() -> this.broker.ready(queue + ".parking-lot") == ways.size());
			assertThat(this.broker.ready(queue + ".quarantine")).isZero();
		}
		assertThat(Application.handled).hasSize(2 * ways.size()).doesNotHaveDuplicates();
	}

	@Test
	void aBatchIsParkedMessageByMessage() {
		for (int number = 0; number < 4; number++) {
			this.broker.sendJson("settles.batch", "m-" + number, Map.of(), "\"ack\"");
		}
		Awaitility.await().until(() -> this.broker.ready("settles.batch.parking-lot") == 4);
		assertThat(this.broker.ready("settles.batch.quarantine")).isZero();
	}

	/** Its delivery tags are of the same channel. */
	@Test
	void whatAHandlerGetsByItselfItMayAcknowledge() {
		this.broker.sendJson("settles.method", "get", Map.of(), "\"get\"");
		Awaitility.await().until(() -> Application.handled.contains("get"));
		Awaitility.await().until(() -> this.broker.ready("settles.bean.parking-lot") == 0);
		assertThat(this.broker.ready("settles.method.parking-lot")).isZero();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = "settles.method")
		void handle(String text, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag,
				@Header(AmqpHeaders.MESSAGE_ID) String id) throws IOException {
			handled.add(id);
			settle(text.replace("\"", ""), channel, tag);
		}

		@RabbitListener(queues = "settles.batch", batch = "true")
		void handle(List<Message> messages, Channel channel) throws IOException {
			channel.basicAck(messages.get(messages.size() - 1).getMessageProperties().getDeliveryTag(), true);
		}

		@Bean
		static SimpleMessageListenerContainer bean(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("settles.bean");
			container.setMessageListener((ChannelAwareMessageListener) (message, channel) -> {
				handled.add(message.getMessageProperties().getMessageId());
				settle(new String(message.getBody()).replace("\"", ""), channel,
						message.getMessageProperties().getDeliveryTag());
			});
			return container;
		}

		private static void settle(String how, Channel channel, long tag) throws IOException {
			switch (how) {
				case "ack" -> channel.basicAck(tag, false);
				case "nack" -> channel.basicNack(tag, false, true);
				case "reject" -> channel.basicReject(tag, true);
				case "recover" -> channel.basicRecover(true);
				case "select" -> RabbitUtils.declareTransactional(channel);
				case "commit" -> RabbitUtils.commitIfNecessary(channel);
				case "close" -> channel.abort();
				case "get" -> get(channel);
				default -> {
				}
			}
		}

		private static void get(Channel channel) throws IOException {
			channel.basicPublish("", "settles.bean.parking-lot", null, new byte[0]);
			GetResponse got = null;
			while (got == null) {
				got = channel.basicGet("settles.bean.parking-lot", false);
			}
			channel.basicAck(got.getEnvelope().getDeliveryTag(), false);
		}

	}

}
