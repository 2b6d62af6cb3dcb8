/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PublisherConnectionTests {

	/** The common pool has one thread on two processors since JDK 25. */
	private static final Executor OWN_THREAD = (task) -> DaemonThreads.start("test", task);

	private final FakeConnections connections = new FakeConnections();

	private final Queue<ConnectionFactory> movedBeside = new ConcurrentLinkedQueue<>();

	private final PublisherConnection link = new PublisherConnection(this.connections.factory(), this.movedBeside::add);

	@Test
	void afterAFailureNobodyConnectsForAWhile() {
		this.connections.failure = new AmqpIOException(new IOException("NOT_ALLOWED - vhost orders not found"));
		assertThatExceptionOfType(AmqpIOException.class).isThrownBy(this.link::connection);
		assertThat(this.link.due()).isFalse();
		assertThat(this.link.failure()).contains("vhost orders not found");
	}

	@Test
	void attemptsOfThirtySecondsAreFew() {
		Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10), 0.25);
		long waited = 0;
		int attempts = 0;
		while (waited < TimeUnit.SECONDS.toNanos(30)) {
			attempts++;
			backoff.attempted();
			waited += backoff.remaining();
		}
		assertThat(attempts).isLessThan(10);
	}

	@Test
	void anErrorOfAConnectionListenerIsAFailureLikeAnyOther() {
		this.connections.error = new StackOverflowError("in a connection listener");
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.link::connection);
		assertThat(this.link.failure()).contains("in a connection listener");
	}

	@Test
	void aConnectionThatWasBlockedBeforeItIsUsedHereCountsAsBlocked() throws Exception {
		this.connections.connectElsewhere();
		this.connections.block();
		assertThat(this.link.blocked()).as("nothing is published on it yet").isFalse();
		this.link.connection();
		assertThat(this.link.blocked()).isTrue();
		assertThat(this.link.blockedReason()).isEqualTo("low on memory");
		this.connections.unblock();
		assertThat(this.link.blocked()).isFalse();
	}

	@Test
	void aBrokerThatConfirmsSomethingInBetweenKeepsItsConnections() {
		this.connections.connectElsewhere();
		for (int times = 0; times < 4; times++) {
			this.link.stalled(Duration.ZERO);
			this.link.confirmed();
		}
		this.link.stalled(Duration.ofMinutes(1));
		this.link.stalled(Duration.ofMinutes(1));
		this.link.confirmed();
		this.link.stalled(Duration.ZERO);
		this.link.stalled(Duration.ZERO);
		Awaitility.await().until(() -> this.connections.aborted.get() > 0);
		assertThat(this.connections.aborted).hasValue(1);
		Awaitility.await().untilAsserted(() -> assertThat(this.movedBeside).hasSize(1));
	}

	@Test
	void connectionsAreNotClosedAgainSoonAlthoughOthersAreConfirmedInBetween() {
		this.connections.connectElsewhere();
		Duration timeout = Duration.ofSeconds(1);
		this.link.stalled(timeout);
		Awaitility.await().pollDelay(timeout).until(() -> true);
		this.link.stalled(timeout);
		Awaitility.await().until(() -> this.connections.aborted.get() == 1);
		this.connections.connectElsewhere();
		this.link.confirmed();
		this.link.stalled(Duration.ZERO);
		this.link.stalled(Duration.ZERO);
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> this.connections.aborted.get() == 1);
	}

	@Test
	void aBrokerThatCanNotBeReachedKeepsNobodyFromSayingThatItStalls() {
		CountDownLatch reached = new CountDownLatch(1);
		this.connections.connecting = reached;
		CompletableFuture<?> connecting = CompletableFuture.supplyAsync(this.link::connection, OWN_THREAD);
		try {
			Awaitility.await().until(() -> !this.link.due());
			assertThat(CompletableFuture.runAsync(() -> this.link.stalled(Duration.ZERO), OWN_THREAD))
				.succeedsWithin(Duration.ofSeconds(5));
		}
		finally {
			reached.countDown();
			assertThat(connecting).succeedsWithin(Duration.ofSeconds(5));
		}
	}

	@Test
	void theLargestBodyIsWhatTheBrokerSaidWhenItRefusedOne() {
		assertThat(this.link.largestBody()).isEqualTo(Long.MAX_VALUE);
		this.link.refused("406 PRECONDITION_FAILED - fast reply consumer does not exist");
		assertThat(this.link.largestBody()).isEqualTo(Long.MAX_VALUE);
		this.link.refused("406 PRECONDITION_FAILED - message size 2011 is larger than configured max size 1000");
		assertThat(this.link.largestBody()).isEqualTo(1000);
		this.link.refused("406 PRECONDITION_FAILED - message size 536870913 is larger than max size 536870912");
		assertThat(this.link.largestBody()).isEqualTo(536_870_912);
	}

}
