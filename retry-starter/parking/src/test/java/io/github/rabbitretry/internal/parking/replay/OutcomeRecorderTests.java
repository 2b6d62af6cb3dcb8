/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.logging.FailingLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeRecorderTests {

	/** More than are written at once. */
	private static final int MESSAGES = 1200;

	private final UnreliableDatabase database = new UnreliableDatabase();

	private OutcomeRecorder recorder;

	@BeforeEach
	void start() {
		this.recorder = new OutcomeRecorder(this.database.stores());
		this.database.job("FINISHED", MESSAGES);
		this.database.away();
		this.recorder.start();
	}

	@AfterEach
	void stop() {
		this.recorder.stop();
	}

	private void succeed() {
		for (int item = 1; item <= MESSAGES; item++) {
			this.recorder.replayEnded("Order", new ReplayReference("replay-20260701-1", item),
					ReplayReference.Outcome.SUCCEEDED);
		}
	}

	private int written() {
		return this.database.jdbc()
			.sql("select count(*) from rabbit_retry_replay_item where state = 'SUCCEEDED'")
			.query(Integer.class)
			.single();
	}

	@Test
	void outcomesAreWrittenAfterAFailureThatCouldNotBeLogged() {
		try (CapturedLog debug = new CapturedLog(OutcomeRecorder.class.getName(), Level.DEBUG);
				FailingLog full = new FailingLog("io.github.rabbitretry")) {
			succeed();
			Awaitility.await().until(() -> this.database.faults() > 2);
			assertThat(debug.lines()).first().asString().contains("DataAccessResourceFailureException: away");
		}
		this.database.heal();
		Awaitility.await().until(() -> written() == MESSAGES);
	}

	@Test
	void aStopWritesWhatIsLeftAlthoughTheFirstWriteFails() {
		succeed();
		Awaitility.await().until(() -> this.database.faults() > 0);
		CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(this.database::heal);
		this.recorder.stop();
		assertThat(written()).isEqualTo(MESSAGES);
	}

	@Test
	void aStopEndsAlthoughNothingCanBeWritten() {
		succeed();
		long begun = System.nanoTime();
		try (CapturedLog log = new CapturedLog(OutcomeRecorder.class.getName(), Level.WARN)) {
			this.recorder.stop();
			assertThat(log.lines()).anyMatch((line) -> line.endsWith("not written before the stop: " + MESSAGES));
		}
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
		int faults = this.database.faults();
		Awaitility.await().during(Duration.ofMillis(500)).until(() -> this.database.faults() <= faults + 1);
	}

}
