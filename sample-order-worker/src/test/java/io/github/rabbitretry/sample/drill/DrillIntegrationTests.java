/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.sample.outside.ProgressPrinter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The experiments of {@code demo drill} and a short {@code demo outage}, one worker for
 * all of them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DrillIntegrationTests {

	private static DrillEnvironment environment;

	@BeforeAll
	static void open() throws IOException, TimeoutException {
		environment = DrillEnvironment.open(new ProgressPrinter(new PrintStream(System.out, true), false));
	}

	@AfterAll
	static void close() {
		environment.close();
	}

	@Test
	@Order(1)
	void whatTimesOutThreeTimesIsRetriedWithItsDelaysAndHandledOnce() throws IOException {
		make(new DelayedRetry());
	}

	@Test
	@Order(2)
	void whatCanNotBeReadIsParkedAtOnce() throws IOException {
		make(new ImmediateParking());
	}

	@Test
	@Order(3)
	void aWorkerKilledBetweenTheConfirmAndTheAckLosesNothing() throws IOException {
		make(new KilledBeforeTheAck());
	}

	@Test
	@Order(4)
	void aReplayAfterTheFixCapturesNothingTwice() throws IOException {
		make(new ReplayAfterTheFix());
	}

	@Test
	@Order(5)
	void aFloodOfPoisonDoesNotStarveHealthyMessages() throws IOException {
		make(new PoisonFlood());
	}

	@Test
	@Order(6)
	void anOutageParksAllPaymentsAndNoneWithOutageMode() throws IOException {
		Outage outage = new Outage(200, Duration.ofSeconds(25));
		assertThat(outage.without(environment)).isEmpty();
		assertThat(outage.with(environment)).isEmpty();
	}

	private static void make(Experiment experiment) throws IOException {
		Findings findings = new Findings(environment.progress()::line);
		experiment.run(environment, findings);
		assertThat(findings.wrong()).isEmpty();
	}

}
