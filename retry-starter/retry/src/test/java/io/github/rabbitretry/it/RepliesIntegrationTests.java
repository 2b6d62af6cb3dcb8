/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

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
				"rabbit-retry.message-policies.Returned.queue=" + RETURNED);
		this.template = this.application.getBean(RabbitTemplate.class);
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		this.broker.deleteAll(ANSWERED);
		this.broker.deleteAll(RETURNED);
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

	}

}
