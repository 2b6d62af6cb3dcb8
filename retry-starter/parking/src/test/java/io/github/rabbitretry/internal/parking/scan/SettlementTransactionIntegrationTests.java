/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.it.TestBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a quorum queue makes of settlements that are followed by the end of their channel.
 */
class SettlementTransactionIntegrationTests {

	private static final String QUEUE = "settlement.test";

	private static final int ALL = 1000;

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void declare() throws Exception {
		this.broker.deleteAll(QUEUE);
		this.broker.channel()
			.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
		for (int number = 0; number < ALL; number++) {
			this.broker.channel().basicPublish("", QUEUE, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[1]);
		}
		this.broker.channel().waitForConfirmsOrDie(30_000);
	}

	@AfterEach
	void delete() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@RepeatedTest(3)
	void everySecondOneIsAcknowledgedThoughTheChannelClosesAtOnce() throws Exception {
		Channel channel = this.broker.channel().getConnection().createChannel();
		List<Delivery> held = hold(channel);
		SettlementTransaction transaction = SettlementTransaction.begin(channel);
		for (int number = 0; number < ALL; number += 2) {
			assertThat(acknowledge(channel, held.get(number))).isTrue();
		}
		assertThat(transaction.commit()).isTrue();
		channel.abort();
		assertAllBut(ALL / 2);
	}

	@Test
	void itCommitsAgainAndAgain() throws Exception {
		Channel channel = this.broker.channel().getConnection().createChannel();
		List<Delivery> held = hold(channel);
		SettlementTransaction transaction = SettlementTransaction.begin(channel);
		for (int commit = 0; commit < 3; commit++) {
			held.subList(commit * 100, commit * 100 + 100).forEach((delivery) -> acknowledge(channel, delivery));
			assertThat(transaction.commit()).isTrue();
		}
		channel.abort();
		assertAllBut(300);
	}

	@Test
	void whatIsNotCommittedIsTheBrokersAgain() throws Exception {
		Channel channel = this.broker.channel().getConnection().createChannel();
		List<Delivery> held = hold(channel);
		SettlementTransaction transaction = SettlementTransaction.begin(channel);
		held.subList(0, 100).forEach((delivery) -> acknowledge(channel, delivery));
		channel.abort();
		assertThat(transaction.commit()).isFalse();
		assertAllBut(0);
	}

	private void assertAllBut(long gone) {
		// what was not acknowledged comes back in the end, at once or not
		await().during(Duration.ofMillis(300))
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.broker.ready(QUEUE) == ALL - gone);
	}

	private static boolean acknowledge(Channel channel, Delivery delivery) {
		return new Acknowledgement(channel, delivery.getEnvelope().getDeliveryTag()).acknowledge();
	}

	private static List<Delivery> hold(Channel channel) throws IOException {
		BlockingQueue<Delivery> held = new LinkedBlockingQueue<>();
		channel.basicQos(ALL);
		String tag = channel.basicConsume(QUEUE, false, (consumer, delivery) -> held.add(delivery), (consumer) -> {
		});
		await().atMost(Duration.ofSeconds(30)).until(() -> held.size() == ALL);
		channel.basicCancel(tag);
		return IntStream.range(0, ALL).mapToObj((number) -> held.remove()).toList();
	}

}
