/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
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
class ParkReplyIntegrationTests {

	private static final String ANSWERED = "rpc.answered";

	private static final String SILENT = "rpc.silent";

	private static final String RETURNED = "rpc.returned";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	private RabbitTemplate template;

	@BeforeEach
	void start() {
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.broker-attempts=0",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Answered.queue=" + ANSWERED,
				"rabbit-retry.message-policies.Answered.on-park-reply=error",
				"rabbit-retry.message-policies.Answered.park-reply-exchanges=no-such-exchange,amq.direct",
				"rabbit-retry.message-policies.Silent.queue=" + SILENT,
				"rabbit-retry.message-policies.Returned.queue=" + RETURNED,
				"rabbit-retry.message-policies.Returned.on-park-reply=error");
		this.template = this.application.getBean(RabbitTemplate.class);
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		this.broker.deleteAll(ANSWERED);
		this.broker.deleteAll(SILENT);
		this.broker.deleteAll(RETURNED);
		this.broker.close();
	}

	@Test
	void theSenderOfAParkedRequestGetsAnErrorReply() {
		this.template.setReplyTimeout(30_000);
		Message reply = this.template.sendAndReceive("", ANSWERED, request("fail"));
		assertThat(reply).isNotNull();
		assertThat(reply.getMessageProperties().getHeaders()).containsEntry("x-app-reply", "parked")
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
		assertThat(new String(reply.getBody(), StandardCharsets.UTF_8)).contains("\"status\":\"PARKED\"")
			.doesNotContain("no stock");
		assertThat(TestBroker.text(this.broker.take(ANSWERED + ".parking-lot"))).containsEntry("x-app-retry-reason",
				"RETRY_BUDGET_EXHAUSTED");
	}

	@Test
	void aRequestThatIsHandledIsAnsweredByItsListener() {
		this.template.setReplyTimeout(30_000);
		Message reply = this.template.sendAndReceive("", ANSWERED, request("fine"));
		assertThat(reply).isNotNull();
		assertThat(reply.getBody()).asString().isEqualTo("done");
	}

	@Test
	void withoutThatTheSenderGetsItsOwnTimeout() {
		this.template.setReplyTimeout(1_000);
		assertThat(this.template.sendAndReceive("", SILENT, request("fail"))).isNull();
		this.broker.take(SILENT + ".parking-lot");
	}

	@Test
	void aRequestThatTheBrokerDeadLettersIsAnsweredToo() throws Exception {
		String replies = this.broker.channel().queueDeclare().getQueue();
		this.broker.channel()
			.basicPublish("", ANSWERED + ".dlq", TestBroker.json("m-1").replyTo(replies).correlationId("c-1").build(),
					"{}".getBytes());
		GetResponse reply = this.broker.take(replies);
		assertThat(reply.getProps().getCorrelationId()).isEqualTo("c-1");
		assertThat(TestBroker.text(reply)).containsEntry("x-app-reply", "parked");
	}

	@Test
	void anAddressThatLeadsNowhereHarmsNobodyElse() throws Exception {
		String replies = this.broker.channel().queueDeclare().getQueue();
		for (int request = 0; request < 20; request++) {
			String address = (request % 2 == 0) ? "no-such-exchange/key" : "no-such-queue";
			this.broker.send(ANSWERED, TestBroker.json("m-" + request).replyTo(address).build(), "fail");
		}
		this.broker.send(ANSWERED, TestBroker.json("m").replyTo(replies).build(), "fail");
		assertThat(this.broker.take(replies).getProps().getCorrelationId()).isEqualTo("m");
		Awaitility.await().until(() -> this.broker.ready(ANSWERED + ".parking-lot") == 21);
		assertThat(this.broker.ready(ANSWERED)).isZero();
	}

	@Test
	void onlyExchangesThatThePolicyNamesGetReplies() throws Exception {
		String replies = this.broker.channel().queueDeclare().getQueue();
		for (String exchange : List.of("amq.topic", "amq.direct")) {
			this.broker.channel().queueBind(replies, exchange, "key");
			this.broker.send(ANSWERED,
					TestBroker.json(exchange).replyTo(exchange + "/key").correlationId(exchange).build(), "fail");
		}
		assertThat(this.broker.take(replies).getProps().getCorrelationId()).isEqualTo("amq.direct");
		Awaitility.await().until(() -> this.broker.ready(ANSWERED + ".parking-lot") == 2);
		assertThat(this.broker.ready(replies)).isZero();
	}

	@Test
	void queuesOfThePoliciesGetNone() throws Exception {
		for (String queue : List.of(ANSWERED, ANSWERED + ".parking-lot", SILENT)) {
			this.broker.send(ANSWERED, TestBroker.json(queue).replyTo(queue).build(), "fail");
		}
		String replies = this.broker.channel().queueDeclare().getQueue();
		this.broker.send(ANSWERED, TestBroker.json("last").replyTo(replies).build(), "fail");
		this.broker.take(replies);
		Awaitility.await().until(() -> this.broker.ready(ANSWERED + ".parking-lot") == 4);
		assertThat(this.broker.ready(SILENT + ".parking-lot")).isZero();
	}

	@Test
	void withReturnExceptionsAFailureCountsAsHandled() {
		this.template.setReplyTimeout(30_000);
		Message reply = this.template.sendAndReceive("", RETURNED, request("fail"));
		assertThat(reply).isNotNull();
		assertThat(reply.getMessageProperties().getHeaders()).doesNotContainKey("x-app-reply");
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

		@RabbitListener(queues = { ANSWERED, SILENT })
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
