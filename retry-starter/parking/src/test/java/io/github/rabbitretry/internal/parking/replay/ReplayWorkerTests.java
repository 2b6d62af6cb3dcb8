/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.logging.FailingLog;
import io.github.rabbitretry.internal.parking.publication.ReplayListener;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The worker without a broker, which no job here needs.
 */
class ReplayWorkerTests {

	private final UnreliableDatabase database = new UnreliableDatabase();

	private final ConfirmedPublishers publishers = new ConfirmedPublishers(
			new HandoverSettings(100, Duration.ofSeconds(10), Duration.ofSeconds(5)));

	private final AtomicInteger interrupted = new AtomicInteger();

	private ReplayWorker worker;

	@BeforeEach
	void create() {
		this.worker = new ReplayWorker(
				this.database.stores(), new CachingConnectionFactory("localhost", 1), this.publishers,
				new MessagePolicies(List.of(TestPolicy.order().build())), new ReplaySettings(Duration.ofSeconds(10), 10,
						Duration.ofMillis(20), 4, Duration.ofSeconds(10), Duration.ofDays(90), false),
				ReplayListener.NONE);
	}

	@AfterEach
	void stop() {
		this.database.heal();
		this.worker.stop();
		this.publishers.close();
	}

	private void hang(long millis) throws SQLException {
		try {
			new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			this.interrupted.incrementAndGet();
			throw new SQLException("interrupted");
		}
		throw new SQLException("no connection");
	}

	@Test
	void tasksAreRunAgainAfterAFailureThatCouldNotBeLogged() {
		this.database.away();
		startWithoutALog();
	}

	@Test
	void tasksAreRunAgainAfterAnyOtherFailureThatCouldNotBeLogged() {
		this.database.fail(() -> {
			throw new UnsupportedOperationException("a driver's mistake");
		});
		startWithoutALog();
	}

	private void startWithoutALog() {
		try (CapturedLog debug = new CapturedLog(ReplayWorker.class.getName(), Level.DEBUG);
				FailingLog full = new FailingLog("io.github.rabbitretry")) {
			this.worker.start();
			Awaitility.await().until(() -> this.database.faults() > 10);
		}
	}

	@Test
	void aCanaryIsDecidedSoonAfterASlowFailureOfTheDatabase() {
		this.database.job("CANARY", 1);
		this.database.fail(() -> hang(2000));
		this.worker.start();
		Awaitility.await().until(() -> this.database.faults() > 3);
		this.database.heal();
		awaitPaused(1);
	}

	@Test
	void aCanaryThatCanNotBeEvaluatedKeepsNoOtherFromThat() {
		this.database.job(1, "CANARY", 1);
		this.database.job(2, "CANARY", 1);
		this.database.jdbc().sql("update rabbit_retry_replay_job set user_name = '' where id = 1").update();
		this.worker.start();
		awaitPaused(2);
	}

	private void awaitPaused(int id) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> "PAUSED".equals(this.database.jdbc()
				.sql("select state from rabbit_retry_replay_job where id = :id")
				.param("id", id)
				.query(String.class)
				.single()));
	}

	@Test
	void aStopHasOneDeadlineForJobsAndTasksAndInterruptsThemThen() {
		this.worker.stopsWithin(new StopDeadline(Duration.ofSeconds(3)));
		AtomicInteger jobs = new AtomicInteger();
		AtomicInteger tasks = new AtomicInteger();
		this.database.job("RUNNING", 1);
		this.database.fail(() -> {
			boolean task = Thread.currentThread().getName().startsWith("rabbit-retry-replay-scheduler-");
			if (!task) {
				jobs.incrementAndGet();
				hang(60_000);
			}
			if (jobs.get() > 0) {
				tasks.incrementAndGet();
				hang(60_000);
			}
		});
		this.worker.start();
		Awaitility.await().until(() -> jobs.get() > 0 && tasks.get() > 0);
		long begun = System.nanoTime();
		this.worker.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.interrupted.get() >= 2);
	}

}
