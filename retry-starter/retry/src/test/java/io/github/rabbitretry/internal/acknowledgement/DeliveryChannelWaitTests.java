/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the end of a container waits for the copies of deliveries.
 */
@Timeout(20)
class DeliveryChannelWaitTests {

	private final RecordedChannel broker = new RecordedChannel("4.3.0");

	private final DeliveryChannel channel = new DeliveryChannel(this.broker.channel);

	private final List<Acknowledgement> deliveries = Stream.of(1, 2)
		.map((tag) -> new Acknowledgement(this.channel, tag))
		.toList();

	@BeforeEach
	void begin() {
		this.deliveries.forEach(Acknowledgement::begin);
		// once is enough
		this.deliveries.get(0).begin();
	}

	@Test
	void whatHasNoCopyOnItsWayIsNotWaitedFor() {
		DeliveryChannel other = new DeliveryChannel(new RecordedChannel("4.3.0").channel);
		new Acknowledgement(other, 1);
		assertThat(other.awaitHandovers(in(60_000))).isTrue();
	}

	@Test
	void itEndsInVainAtTheDeadline() {
		assertThat(this.channel.awaitHandovers(in(20))).isFalse();
		assertThat(this.channel.awaitHandovers(in(0))).isFalse();
	}

	@Test
	void eachMessageOfADeliveryHasACopyOfItsOwn() {
		DeliveryChannel other = new DeliveryChannel(new RecordedChannel("4.3.0").channel);
		List<Acknowledgement> parts = new Acknowledgement(other, 1).divide(2);
		parts.forEach(Acknowledgement::begin);
		parts.get(0).acknowledge();
		assertThat(other.awaitHandovers(in(20))).isFalse();
		parts.get(1).acknowledge();
		assertThat(other.awaitHandovers(in(20))).isTrue();
	}

	@Test
	void itEndsWithTheLastSettlement() throws Exception {
		FutureTask<Boolean> wait = await();
		this.deliveries.get(1).acknowledge();
		assertThat(wait.isDone()).isFalse();
		this.deliveries.get(0).giveBack();
		assertThat(wait.get(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aSecondAttemptToSettleIsNoSettlement() {
		this.deliveries.get(0).acknowledge();
		this.deliveries.get(0).acknowledge();
		assertThat(this.channel.awaitHandovers(in(20))).isFalse();
	}

	@Test
	void itEndsWhenTheChannelCloses() throws Exception {
		FutureTask<Boolean> wait = await();
		this.broker.close();
		assertThat(wait.get(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void itEndsWhenAllIsGivenBack() throws Exception {
		FutureTask<Boolean> wait = await();
		this.channel.giveBackAll();
		assertThat(wait.get(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.broker.commands).containsExactly("basicNack 0 true");
	}

	@Test
	void itEndsWhenADeliveryCanNotBeSettledAndTheChannelIsClosedForThat() throws Exception {
		FutureTask<Boolean> wait = await();
		this.broker.failure = new OutOfMemoryError("a test");
		this.deliveries.get(0).acknowledge();
		assertThat(wait.get(5, TimeUnit.SECONDS)).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(this.broker.commands).containsExactly("abort"));
	}

	@Test
	void anInterruptEndsItAndIsKept() {
		Thread.currentThread().interrupt();
		assertThat(this.channel.awaitHandovers(in(60_000))).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	private FutureTask<Boolean> await() {
		FutureTask<Boolean> wait = new FutureTask<>(() -> this.channel.awaitHandovers(in(60_000)));
		Thread thread = new Thread(wait);
		thread.setDaemon(true);
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		return wait;
	}

	private static long in(long milliseconds) {
		return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
	}

}
