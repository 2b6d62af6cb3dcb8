/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.io.IOException;
import java.time.Duration;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Several messages that each end the connection at each delivery, because the broker
 * can't convert them for the consumer, among dead letters like any others.
 */
class UndeliverableMessagesIntegrationTests {

	private static final String QUEUE = "undeliverable.order";

	private static final int DEAD_LETTERS = 300;

	private static final int UNDELIVERABLE = 5;

	private final FuzzMessages messages = new FuzzMessages(1, QUEUE + ".dlq");

	private TestBroker broker;

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		this.broker = TestBroker.connect();
		this.broker.deleteAll(QUEUE);
		this.application = TestApplication.start(FuzzApplication.class, "fuzz.queue=" + QUEUE,
				"rabbit-retry.message-policies.Fuzz.queue=" + QUEUE, "rabbit-retry.ledger.enabled=false");
		// every type's are there
		this.broker.purgeUnroutable();
		Awaitility.await().until(() -> this.broker.channel().consumerCount(QUEUE + ".dlq") == 1);
	}

	@AfterEach
	void stop() {
		this.application.close();
		this.broker.purgeUnroutable();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void costSecondsEachAndAllOtherDeadLettersAreParked() throws IOException {
		try (FuzzSender sender = new FuzzSender(Broker.shared())) {
			for (int id = 0; id < DEAD_LETTERS; id++) {
				boolean undeliverable = id % (DEAD_LETTERS / UNDELIVERABLE) == 10;
				sender.send(undeliverable ? this.messages.unconvertible(id) : this.messages.plain(id));
			}
			sender.flush();
		}
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(() -> this.broker.unroutable() == UNDELIVERABLE
					&& this.broker.ready(QUEUE + ".parking-lot") == DEAD_LETTERS - UNDELIVERABLE);
		Awaitility.await().until(() -> this.broker.channel().consumerCount(QUEUE + ".dlq") == 1);
	}

}
