/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayService;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service with a queue of its own, a broker and an empty database, for tests of what
 * operators do.
 */
abstract class OperatedService {

	final String queue = "operated." + UUID.randomUUID();

	final TestBroker broker = TestBroker.connect();

	final ParkedLot lot = new ParkedLot(this.broker, this.queue);

	ConfigurableApplicationContext context;

	ReplayApplication application;

	ReplayService replays;

	ParkedMessageService messages;

	Ledger ledger;

	/** Properties that lead to an empty database. */
	abstract List<String> newDatabase();

	@BeforeEach
	void start() {
		List<String> properties = new ArrayList<>(newDatabase());
		properties.addAll(List.of("spring.application.name=orders", "test.queue=" + this.queue,
				"rabbit-retry.message-policies.Order.queue=" + this.queue,
				"rabbit-retry.message-policies.Order.broker-attempts=0",
				"rabbit-retry.message-policies.Order.local-attempts=1", "rabbit-retry.ledger.enabled=true"));
		properties.addAll(List.of(more()));
		this.context = TestApplication.start(ReplayApplication.class, properties.toArray(String[]::new));
		this.application = this.context.getBean(ReplayApplication.class);
		this.replays = this.context.getBean(ReplayService.class);
		this.messages = this.context.getBean(ParkedMessageService.class);
		this.ledger = this.context.getBean(Ledger.class);
	}

	/** Properties besides. */
	String[] more() {
		return new String[0];
	}

	@AfterEach
	void stop() throws Exception {
		this.context.close();
		for (String name : List.of(this.queue, this.queue + ".dlq", this.queue + ".parking-lot")) {
			this.broker.channel().queueDelete(name);
		}
		this.broker.close();
	}

	/** Parks messages, and waits until so many are in the ledger. */
	final void park(int from, int to, long parked) {
		this.lot.park(from, to);
		awaitParked(parked);
	}

	final void awaitParked(long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(count(ParkedState.PARKED)).isEqualTo(count));
	}

	final long count(ParkedState state) {
		return this.ledger.count(ParkedFilter.ALL.withState(state));
	}

}
