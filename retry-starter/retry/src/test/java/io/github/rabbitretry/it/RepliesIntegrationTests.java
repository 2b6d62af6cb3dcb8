/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests whose senders wait for a reply.
 */
class RepliesIntegrationTests {

	private static final String ANSWERED = "rpc.answered";

	private static final String RETURNED = "rpc.returned";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	private RabbitTemplate template;

	@BeforeEach
	void start() {
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.broker-attempts=0",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Answered.queue=" + ANSWERED,
				"rabbit-retry.message-policies.Returned.queue=" + RETURNED,
				"rabbit-retry.message-policies.Method.queue=rpc.method",
				"rabbit-retry.message-policies.Method.broker-attempts=5",
				"rabbit-retry.message-policies.Future.queue=rpc.future",
				"rabbit-retry.message-policies.Future.broker-attempts=5",
				"rabbit-retry.message-policies.Mono.queue=rpc.mono",
				"rabbit-retry.message-policies.Adapter.queue=rpc.adapter",
				"rabbit-retry.message-policies.Adapter.broker-attempts=5",
				"rabbit-retry.message-policies.Retried.queue=rpc.retried",
				"rabbit-retry.message-policies.Retried.broker-attempts=1",
				"rabbit-retry.message-policies.Retried.initial-delay=100ms");
		Application.handled.clear();
		this.template = this.application.getBean(RabbitTemplate.class);
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		this.broker.deleteAll(ANSWERED);
		this.broker.deleteAll(RETURNED);
		List.of("method", "future", "mono", "adapter", "retried")
			.forEach((kind) -> this.broker.deleteAll("rpc." + kind));
		this.broker.close();
	}

	@Test
	void aRequestThatIsHandledIsAnsweredByItsListener() {
		this.template.setReplyTimeout(30_000);
		Message reply = this.template.sendAndReceive("", ANSWERED, request("fine"));
		assertThat(reply).isNotNull();
		assertThat(reply.getBody()).asString().isEqualTo("done");
	}

	@Test
	void theSenderOfAParkedRequestGetsItsOwnTimeout() {
		this.template.setReplyTimeout(1_000);
		assertThat(this.template.sendAndReceive("", ANSWERED, request("fail"))).isNull();
		this.broker.take(ANSWERED + ".parking-lot");
	}

	@Test
	void withReturnExceptionsAFailureCountsAsHandled() {
		this.template.setReplyTimeout(30_000);
		Message reply = this.template.sendAndReceive("", RETURNED, request("fail"));
		assertThat(reply).isNotNull();
		this.broker.send(RETURNED, TestBroker.json("m-1").build(), "fail");
		assertThat(this.broker.take(RETURNED + ".parking-lot").getProps().getMessageId()).isEqualTo("m-1");
		assertThat(this.broker.ready(RETURNED + ".parking-lot")).isZero();
	}

	/** It was done, and would be done again. */
	@ParameterizedTest
	@ValueSource(strings = { "method", "future", "mono", "adapter" })
	void aResultWithoutAnAddressIsParkedAtOnce(String kind) {
		this.broker.send("rpc." + kind, TestBroker.json("m-1").build(), "fine");
		Map<String, Object> parked = TestBroker.text(this.broker.take("rpc." + kind + ".parking-lot"));
		assertThat(parked).containsEntry("x-app-retry-reason", "REPLY_FAILED");
		assertThat(parked.values()).noneMatch((value) -> value.toString().contains("done"));
		assertThat(Application.handled).containsExactly("m-1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "unconvertible", "nowhere" })
	void aReplyThatCanNotBeSentIsParkedAtOnce(String problem) {
		String address = problem.equals("nowhere") ? "no-such-exchange/key" : "no-such-queue";
		for (int number = 0; number < 5; number++) {
			this.broker.send("rpc.method", TestBroker.json("m-" + number).replyTo(address).build(),
					problem.equals("nowhere") ? "fine" : problem);
		}
		Awaitility.await().until(() -> this.broker.ready("rpc.method.parking-lot") == 5);
		assertThat(TestBroker.text(this.broker.take("rpc.method.parking-lot"))).containsEntry("x-app-retry-reason",
				"REPLY_FAILED");
		assertThat(Application.handled).hasSize(5).doesNotHaveDuplicates();
	}

	@Test
	void aFailureThatAnErrorReplyCanNotBeSentForIsRetried() {
		this.broker.send("rpc.retried", TestBroker.json("m-1").build(), "fail");
		assertThat(TestBroker.text(this.broker.take("rpc.retried.parking-lot")))
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-root-exception", IllegalStateException.class.getName());
		assertThat(Application.handled).hasSize(2);
	}

	private static Message request(String text) {
		return MessageBuilder.withBody(text.getBytes(StandardCharsets.UTF_8)).setContentType("text/plain").build();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = ANSWERED)
		String handle(Message message) {
			if (!new String(message.getBody(), StandardCharsets.UTF_8).equals("fine")) {
				throw new IllegalStateException("no stock");
			}
			return "done";
		}

		@RabbitListener(queues = RETURNED, returnExceptions = "true")
		String handleOrReturn(Message message) {
			return handle(message);
		}

		static final List<String> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = "rpc.method")
		Object handlePlain(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			return new String(message.getBody(), StandardCharsets.UTF_8).equals("unconvertible") ? new Object()
					: handle(message);
		}

		@RabbitListener(queues = "rpc.future")
		CompletableFuture<String> handleLater(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			return CompletableFuture.completedFuture(handle(message));
		}

		@RabbitListener(queues = "rpc.mono")
		Mono<String> handleMono(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			return Mono.just(handle(message));
		}

		@RabbitListener(queues = "rpc.retried", returnExceptions = "true")
		String handleRetried(Message message) {
			handled.add(message.getMessageProperties().getMessageId());
			return handle(message);
		}

		@Bean
		static SimpleMessageListenerContainer adapter(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames("rpc.adapter");
			container.setMessageListener(new MessageListenerAdapter(new Delegate()));
			return container;
		}

	}

	static class Delegate {

		public String handleMessage(Object body) {
			Application.handled.add("m-1");
			return "done";
		}

	}

}
