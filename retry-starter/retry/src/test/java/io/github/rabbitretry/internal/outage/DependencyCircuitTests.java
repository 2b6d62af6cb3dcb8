/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When a service counts as down, under a virtual clock.
 */
class DependencyCircuitTests {

	private static final Set<String> REASONS = Set.of("DOWNSTREAM_TIMEOUT");

	private static final Instant START = Instant.parse("2026-07-01T12:00:00Z");

	private static final Duration PROBE_TIME = Duration.ofMinutes(1);

	private final Told told = new Told();

	private Instant now = START;

	private boolean clockFails;

	private DependencyCircuit circuit = circuit(0.5, 4, 3);

	private DependencyCircuit circuit(double rate, int calls, int resumeCalls) {
		return new DependencyCircuit(new OutageSettings("gateway", REASONS, rate, calls, Duration.ofSeconds(5),
				Duration.ofSeconds(20), resumeCalls, false), List.of("Order"), PROBE_TIME, this::now, this.told);
	}

	private Instant now() {
		if (this.clockFails) {
			throw new OutOfMemoryError("a test");
		}
		return this.now;
	}

	/**
	 * What calls end with: s succeeds, d the service is down, p poison, t timed out, n
	 * not called.
	 */
	private void calls(String ends) {
		for (char end : ends.toCharArray()) {
			try (CircuitCall call = this.circuit.tryCall(REASONS)) {
				assertThat(call).as("a call that ends with %s", end).isNotNull();
				end(call, end);
			}
		}
	}

	private static boolean end(CircuitCall call, char end) {
		if (end == 's') {
			call.succeeded();
		}
		return switch (end) {
			case 's', 'n' -> false;
			case 'd' -> call.failed("DOWNSTREAM_TIMEOUT");
			case 't' -> call.failed("HANDLER_TIMEOUT");
			default -> call.failed("DESERIALIZATION_FAILED");
		};
	}

	@ParameterizedTest(name = "{0}: open {1}")
	@CsvSource({ "dd, false", "ddd, false", "dddd, true", "ssdd, true", "ddss, true", "sssd, false", "sssdd, true",
			"sssdsssdsssd, false", "pppppppp, false", "ddpppppp, false", "dpdpdpd, true" })
	void halfOfTheLastFourCallsHaveToShowThatTheServiceIsDown(String ends, boolean open) {
		calls(ends);
		assertThat(this.circuit.open()).isEqualTo(open);
		assertThat(this.told.began).hasSize(open ? 1 : 0);
	}

	@Test
	void theFailureThatOpensItIsNotHeldAgainstTheMessageAndEarlierOnesAre() {
		for (boolean caught : new boolean[] { false, false, false, true }) {
			try (CircuitCall call = this.circuit.tryCall(REASONS)) {
				assertThat(end(call, 'd')).isEqualTo(caught);
			}
		}
	}

	@Test
	void failuresOfCallsThatBeganBeforeItOpenedAreNotHeldAgainstTheirMessages() {
		CircuitCall slow = this.circuit.tryCall(REASONS);
		calls("dddd");
		assertThat(slow.mayRepeat()).isFalse();
		assertThat(end(slow, 'd')).isTrue();
		assertThat(this.told.began).hasSize(1);
	}

	@Test
	void afterAnOutageAServiceThatFailsTooSeldomToOpenItGetsAllCallsAgain() {
		this.circuit = circuit(0.5, 10, 5);
		calls("dddddddddd");
		this.circuit.halfOpen();
		calls("dssdsdssssdsss");
		assertThat(this.circuit.closed()).isTrue();
		assertThat(this.told.began).hasSize(1);
		assertThat(this.told.ended).hasSize(1);
	}

	@Nested
	class Open {

		@Test
		void letsNoCallThrough() {
			calls("dddd");
			assertThat(DependencyCircuitTests.this.circuit.tryCall(REASONS)).isNull();
		}

		@Test
		void waitsTwiceAsLongEachTimeThatAllProbesFailUpToTheLongest() {
			calls("dddd");
			List<Long> waits = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				waits.add(DependencyCircuitTests.this.circuit.untilProbe().toSeconds());
				DependencyCircuitTests.this.circuit.halfOpen();
				calls("ddd");
			}
			assertThat(waits).containsExactly(5L, 10L, 20L, 20L, 20L);
		}

		@Test
		void waitsAsAtFirstAfterAProbeSucceeded() {
			calls("dddd");
			DependencyCircuitTests.this.circuit.halfOpen();
			calls("ddd");
			DependencyCircuitTests.this.circuit.halfOpen();
			calls("dsd");
			assertThat(DependencyCircuitTests.this.circuit.open()).isTrue();
			assertThat(DependencyCircuitTests.this.circuit.untilProbe()).hasSeconds(5);
		}

	}

	@Nested
	class HalfOpen {

		HalfOpen() {
			calls("dddd");
			DependencyCircuitTests.this.circuit.halfOpen();
		}

		@Test
		void letsOneCallThroughAtATime() {
			try (CircuitCall probe = DependencyCircuitTests.this.circuit.tryCall(REASONS)) {
				assertThat(probe).isNotNull();
				assertThat(probe.mayRepeat()).isFalse();
				assertThat(DependencyCircuitTests.this.circuit.tryCall(REASONS)).isNull();
			}
			assertThat(DependencyCircuitTests.this.circuit.tryCall(REASONS)).isNotNull();
		}

		@ParameterizedTest(name = "{0}: {1}, {2} probes")
		@CsvSource({ "ss, half open, 2", "sss, closed, 3", "dd, half open, 2", "ddd, open, 3", "ssd, closed, 3",
				"dss, closed, 3", "sdd, open, 3", "dds, open, 3", "ppp, closed, 3", "ppd, closed, 3",
				"tt, half open, 2", "ttp, open, 3", "tpp, closed, 3" })
		void isJudgedByTheRateThatOpensItOnceThereWereEnoughProbes(String ends, String state, int probes) {
			calls(ends);
			DependencyCircuit circuit = DependencyCircuitTests.this.circuit;
			assertThat(circuit.closed() ? "closed" : circuit.open() ? "open" : "half open").isEqualTo(state);
			assertThat(circuit.probes()).isEqualTo(probes);
		}

		@Test
		void aProbeThatTimedOutPaysWithItsAttemptIfThatIsNoReasonOfAnOutage() {
			calls("tt");
			try (CircuitCall probe = DependencyCircuitTests.this.circuit.tryCall(REASONS)) {
				assertThat(end(probe, 't')).isFalse();
			}
			assertThat(DependencyCircuitTests.this.circuit.open()).isTrue();
			assertThat(DependencyCircuitTests.this.circuit.untilProbe()).hasSeconds(10);
		}

		@ParameterizedTest(name = "{0}: open {1}")
		@CsvSource({ "ttt ttt, false", "ttd ttt, true", "stt ttt, false", "ddd ttt, true" })
		void timeoutsThatAreNoReasonOfAnOutageKeepItOpenOnlySoOftenInARow(String ends, boolean open) {
			for (String period : ends.split(" ")) {
				DependencyCircuitTests.this.circuit.halfOpen();
				calls(period);
			}
			assertThat(DependencyCircuitTests.this.circuit.open()).isEqualTo(open);
		}

		@Test
		void aProbeWhoseHandlerWasNotCalledShowsNothing() {
			for (int i = 0; i < 10; i++) {
				calls("n");
			}
			assertThat(DependencyCircuitTests.this.circuit.closed()).isFalse();
			assertThat(DependencyCircuitTests.this.circuit.open()).isFalse();
		}

		@Test
		void aProbeThatTakesTooLongCountsAsFailedAndHoldsNobodyUp() {
			CircuitCall hanging = DependencyCircuitTests.this.circuit.tryCall(REASONS);
			passes(PROBE_TIME.minusSeconds(1));
			assertThat(DependencyCircuitTests.this.circuit.open()).isFalse();
			passes(Duration.ofSeconds(1));
			assertThat(DependencyCircuitTests.this.circuit.open()).isTrue();
			assertThat(DependencyCircuitTests.this.circuit.untilProbe()).hasSeconds(10);
			DependencyCircuitTests.this.circuit.halfOpen();
			calls("s");
			assertThat(end(hanging, 'd')).as("its message does not pay").isTrue();
			hanging.close();
			calls("ss");
			assertThat(DependencyCircuitTests.this.circuit.closed()).isTrue();
		}

		@Test
		void afterAProbeThatSucceededTooLateTheNextOnesMayTakeLonger() {
			for (int i = 0; i < 2; i++) {
				CircuitCall slow = DependencyCircuitTests.this.circuit.tryCall(REASONS);
				passes(PROBE_TIME.plusSeconds(30));
				slow.succeeded();
				DependencyCircuitTests.this.circuit.halfOpen();
			}
			assertThat(DependencyCircuitTests.this.circuit.outage()).isNotNull();
			calls("ss");
			assertThat(DependencyCircuitTests.this.circuit.closed()).as("with the second slow one").isTrue();
		}

		private void passes(Duration time) {
			DependencyCircuitTests.this.now = DependencyCircuitTests.this.now.plus(time);
			DependencyCircuitTests.this.circuit.giveUpProbe();
		}

		@Test
		void callsFromBeforeTheOutageSayNothing() {
			DependencyCircuitTests.this.circuit = circuit(0.5, 4, 3);
			CircuitCall slow = DependencyCircuitTests.this.circuit.tryCall(REASONS);
			CircuitCall slower = DependencyCircuitTests.this.circuit.tryCall(REASONS);
			calls("dddd");
			DependencyCircuitTests.this.circuit.halfOpen();
			slow.succeeded();
			assertThat(end(slower, 'd')).isTrue();
			assertThat(DependencyCircuitTests.this.circuit.open()).isFalse();
			calls("sss");
			assertThat(DependencyCircuitTests.this.circuit.closed()).isTrue();
		}

	}

	@Test
	void anOutageIsToldOnceWhenItBeginsAndOnceWhenItEnds() {
		calls("sddd");
		this.now = START.plusSeconds(5);
		this.circuit.halfOpen();
		calls("ddd");
		this.now = START.plusSeconds(15);
		this.circuit.halfOpen();
		calls("sss");
		assertThat(this.told.began)
			.containsExactly(new Outage("gateway", List.of("Order"), "DOWNSTREAM_TIMEOUT", START, null, 0));
		assertThat(this.told.ended).containsExactly(
				new Outage("gateway", List.of("Order"), "DOWNSTREAM_TIMEOUT", START, START.plusSeconds(15), 6));
		assertThat(this.circuit.outage()).isNull();
		assertThat(this.circuit.outagesBetween(START.minusSeconds(5), START.plusSeconds(10))).hasSeconds(10);
		assertThat(this.circuit.outagesBetween(START.plusSeconds(10), START.plusSeconds(60))).hasSeconds(5);
		assertThat(this.circuit.outagesBetween(START.plusSeconds(20), START.plusSeconds(60))).isZero();
	}

	@Test
	void anOutageThatLastsCountsToo() {
		calls("dddd");
		assertThat(this.circuit.outagesBetween(START.minusSeconds(60), START.plusSeconds(7))).hasSeconds(7);
	}

	/** Another call's success is counted as a probe's and closes the circuit. */
	@Test
	void aProbeThatFailsOnceTheCircuitIsClosedDoesNotOpenIt() {
		this.circuit = circuit(0.5, 2, 1);
		calls("dd");
		this.circuit.halfOpen();
		try (CircuitCall probe = this.circuit.tryCall(REASONS)) {
			assertThat(probe).isNotNull();
			this.circuit.succeeded(new CircuitCall(this.circuit, REASONS, this.circuit.period(), null));
			assertThat(this.circuit.closed()).isTrue();
			probe.failed("DOWNSTREAM_TIMEOUT");
		}
		assertThat(this.circuit.closed()).isTrue();
		assertThat(this.circuit.outage()).isNull();
	}

	/** Counted in the half-open circuit, it would open it or close it out of turn. */
	@Test
	void aSuccessThatIsHeldUpUntilTheProbesOfAnOutageIsNotOneOfThem() throws Exception {
		CircuitCall slow = this.circuit.tryCall(REASONS);
		Thread heldUp = new Thread(slow::succeeded);
		synchronized (this.circuit) {
			heldUp.start();
			Awaitility.await().until(() -> heldUp.getState() == Thread.State.BLOCKED);
			calls("dddd");
			this.circuit.halfOpen();
			calls("dd");
		}
		heldUp.join();
		assertThat(this.circuit.open()).isFalse();
		calls("d");
		assertThat(this.circuit.open()).isTrue();
	}

	@Test
	void aServiceThatFailsAgainAfterAnErrorKeptItsOutageFromEndingIsProbed() {
		calls("dddd");
		this.circuit.halfOpen();
		calls("ss");
		CircuitCall last = this.circuit.tryCall(REASONS);
		this.clockFails = true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(last::succeeded);
		this.clockFails = false;
		assertThat(this.circuit.closed()).isTrue();
		calls("dddd");
		assertThat(this.told.probes).contains(this.circuit.period());
		this.circuit.halfOpen();
		calls("sss");
		assertThat(this.circuit.closed()).isTrue();
		assertThat(this.told.ended).hasSize(1);
	}

	@Test
	void aProbeThatAnErrorOfTheClockKeptFromBeginningIsNotMissedAtTheEnd() {
		calls("dddd");
		this.circuit.halfOpen();
		this.clockFails = true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.circuit.tryCall(REASONS));
		this.clockFails = false;
		calls("sss");
		assertThat(this.circuit.closed()).isTrue();
	}

	/** Even if calls that are no probes are counted as such. */
	@RepeatedTest(200)
	void wheneverItIsOpenProbesArePlanned(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		this.circuit = circuit(0.1 + 0.9 * random.nextDouble(), 2 + random.nextInt(4), 1 + random.nextInt(4));
		for (int step = 0; step < 500; step++) {
			if (this.circuit.open()) {
				assertThat(this.told.probes).as("planned at step %d", step).contains(this.circuit.period());
				this.circuit.halfOpen();
			}
			try (CircuitCall call = this.circuit.tryCall(REASONS)) {
				CircuitCall other = new CircuitCall(this.circuit, REASONS, this.circuit.period(), null);
				end((random.nextInt(3) == 0) ? other : call, "sdd".charAt(random.nextInt(3)));
			}
		}
	}

	/** The application stopped and started the listener, and the handler hangs still. */
	@Test
	void aProbeWhoseDeliveryTheBrokerHasAgainMakesRoomForAnother() {
		calls("dddd");
		this.circuit.halfOpen();
		AtomicBoolean held = new AtomicBoolean(true);
		try (CircuitCall hanging = this.circuit.tryCall(REASONS)) {
			assertThat(hanging).isNotNull();
			hanging.heldWhile(held::get);
			this.circuit.giveUpProbe();
			assertThat(this.circuit.tryCall(REASONS)).isNull();
			held.set(false);
			this.circuit.giveUpProbe();
			try (CircuitCall next = this.circuit.tryCall(REASONS)) {
				assertThat(next).isNotNull();
				hanging.failed("DOWNSTREAM_TIMEOUT");
				assertThat(this.circuit.open()).as("it says nothing any more").isFalse();
				next.succeeded();
			}
		}
	}

	/** Whatever the service does, and whoever calls. */
	@RepeatedTest(200)
	void callsWhileItIsNotClosedAreOnlyProbesOneAtATime(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		this.circuit = circuit(0.1 + 0.9 * random.nextDouble(), 2 + random.nextInt(8), 1 + random.nextInt(4));
		List<CircuitCall> running = new ArrayList<>();
		int probesRunning = 0;
		for (int step = 0; step < 500; step++) {
			boolean closed = this.circuit.closed();
			boolean open = this.circuit.open();
			if (random.nextInt(10) == 0) {
				this.circuit.halfOpen();
			}
			else if (random.nextBoolean()) {
				CircuitCall call = this.circuit.tryCall(REASONS);
				assertThat(call == null).as("refused at step %d", step)
					.isEqualTo(open || (!closed && probesRunning > 0));
				if (call != null) {
					probesRunning += call.probe() ? 1 : 0;
					assertThat(call.probe()).isNotEqualTo(closed);
					running.add(call);
				}
			}
			else if (!running.isEmpty()) {
				Collections.shuffle(running, random);
				CircuitCall call = running.remove(0);
				probesRunning -= call.probe() ? 1 : 0;
				boolean caught = end(call, "sdp".charAt(random.nextInt(3)));
				assertThat(caught && this.circuit.closed()).as("caught at step %d", step).isFalse();
				call.close();
			}
			assertThat(probesRunning).isBetween(0, 1);
			assertThat(this.circuit.closed()).isEqualTo(this.circuit.outage() == null);
		}
		assertThat(this.told.began.size() - this.told.ended.size()).isEqualTo(this.circuit.closed() ? 0 : 1);
		assertThat(this.circuit.outages()).isEqualTo(this.told.began.size());
	}

	private final class Told implements Consumer<@Nullable Outage> {

		private final List<Outage> began = new ArrayList<>();

		private final List<Outage> ended = new ArrayList<>();

		/** The periods that end with one, at most. */
		private final Set<Integer> probes = new HashSet<>();

		@Override
		public void accept(@Nullable Outage outage) {
			if (outage != null) {
				((outage.ended() == null) ? this.began : this.ended).add(outage);
			}
			if (DependencyCircuitTests.this.circuit.open()) {
				this.probes.add(DependencyCircuitTests.this.circuit.period());
			}
		}

	}

}
