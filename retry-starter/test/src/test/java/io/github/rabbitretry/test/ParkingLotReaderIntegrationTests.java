/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.broker.Broker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class ParkingLotReaderIntegrationTests {

	private static final String QUEUE = "kit.order.create";

	private static final String PARKING_LOT = QUEUE + ".parking-lot";

	private static ConfigurableApplicationContext application;

	private final ParkingLotReader parked = ParkingLotReader.in(application, "CreateOrderCommand");

	private final RabbitTemplate template = application.getBean(RabbitTemplate.class);

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.config.location=classpath:fast.yml",
					"--spring.rabbitmq.addresses=" + Broker.shared().amqpUri());
	}

	@AfterAll
	static void stop() {
		RabbitAdmin admin = new RabbitAdmin(application.getBean(ConnectionFactory.class));
		List.of(PARKING_LOT, QUEUE, QUEUE + ".dlq").forEach(admin::deleteQueue);
		application.close();
	}

	@AfterEach
	void empty() {
		new RabbitAdmin(application.getBean(ConnectionFactory.class)).purgeQueue(PARKING_LOT);
	}

	@Test
	void aMessageThatLandsInTheParkingLotIsFoundByItsReason() {
		this.template.send(QUEUE, message("m-1", "time out"));
		ParkingLotMessage found = this.parked.awaitOne("RETRY_BUDGET_EXHAUSTED");
		assertThat(found.messageId()).isEqualTo("m-1");
		assertThat(found.failureReason()).isEqualTo("DOWNSTREAM_TIMEOUT");
		assertThat(found.failureClass()).isEqualTo("transient");
		assertThat(found.attempt()).isEqualTo(1);
		assertThat(found.exception()).isEqualTo("java.net.SocketTimeoutException");
		assertThat(found.body()).isEqualTo("time out".getBytes());
		assertThat(found.headers()).containsEntry("x-app-message-type", "CreateOrderCommand");
	}

	@Test
	@Tag("smoke")
	void lookingLosesNothingHoweverOften() {
		for (int i = 0; i < 20; i++) {
			this.template.send(PARKING_LOT, parked("m-" + i, (i == 7) ? "SEVENTH" : "OTHER"));
		}
		// sent without confirms, on another connection
		await().untilAsserted(() -> assertThat(this.parked.all()).hasSize(20));
		// more often than a quorum queue's own delivery limit, 20
		IntStream.range(0, 30).forEach((look) -> assertThat(this.parked.all()).hasSize(20));
		assertThat(this.parked.awaitOne("SEVENTH").messageId()).isEqualTo("m-7");
		assertThat(this.parked.all()).extracting(ParkingLotMessage::messageId)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).mapToObj((i) -> "m-" + i).toList());
	}

	@Test
	void aReasonThatDoesNotComeIsToldWithThoseThereAre() {
		this.template.send(PARKING_LOT, parked("m-1", "OTHER"));
		this.parked.awaitOne("OTHER");
		assertThatThrownBy(() -> this.parked.awaitOne("GONE", Duration.ofMillis(500)))
			.isInstanceOf(AssertionError.class)
			.hasMessage("No message was parked in '%s' because of GONE within PT0.5S; there are: {OTHER=1}",
					PARKING_LOT);
		assertThat(this.parked.all()).hasSize(1);
	}

	@Test
	void aMessageOfSomebodyElseHasNoReason() {
		this.template.send(PARKING_LOT, new Message("?".getBytes()));
		assertThat(this.parked.awaitOne("")).satisfies((found) -> {
			assertThat(found.attempt()).isZero();
			assertThat(found.failureReason()).isEmpty();
		});
	}

	@Test
	void anUnknownMessageTypeIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> ParkingLotReader.in(application, "Refund"))
			.withMessage("There is no message policy 'Refund'");
	}

	@Test
	void theDecisionsOfARunningApplicationCanBeAskedFor() {
		RetryDecisions.of(application)
			.of("CreateOrderCommand")
			.failing(new SocketTimeoutException())
			.isRetriedAfter(Duration.ofMillis(500));
	}

	private static Message message(String id, String body) {
		return MessageBuilder.withBody(body.getBytes()).setMessageId(id).build();
	}

	private static Message parked(String id, String reason) {
		Message message = message(id, "");
		message.getMessageProperties().setHeader("x-app-retry-reason", reason);
		return message;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = QUEUE)
		void handle(Message message) throws SocketTimeoutException {
			throw new SocketTimeoutException("always");
		}

	}

}
