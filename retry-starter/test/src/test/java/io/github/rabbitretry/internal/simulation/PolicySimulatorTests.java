/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.policy.RetryRatio;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import io.github.rabbitretry.simulation.Simulation.Minute;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PolicySimulatorTests {

	private static final Duration LONG = Duration.ofHours(10);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final PolicySimulator simulator = new PolicySimulator();

	private static TestPolicy fixed(int attempts) {
		return TestPolicy.order().brokerAttempts(attempts).backoff(Backoff.fixed(Duration.ofSeconds(10)));
	}

	private Simulation simulate(TestPolicy policy, SimulatedLoad load) {
		Simulation simulation = this.simulator.simulate(policy.build(), load);
		assertThat(simulation.succeeded() + simulation.allParked()
				+ simulation.discarded().values().stream().mapToLong(Long::longValue).sum())
			.as("fates")
			.isEqualTo(simulation.messages());
		assertThat(sum(simulation, Minute::arrived)).isEqualTo(simulation.messages());
		assertThat(sum(simulation, Minute::handlerCalls)).isEqualTo(simulation.handlerCalls());
		assertThat(sum(simulation, Minute::failedCalls)).isEqualTo(simulation.failedCalls());
		assertThat(sum(simulation, Minute::retries)).isEqualTo(simulation.retries());
		Minute last = simulation.minutes().get(simulation.minutes().size() - 1);
		assertThat(last.waiting() + last.ready()).as("left").isZero();
		assertThat(last.parked()).isEqualTo(simulation.allParked());
		return simulation;
	}

	private static long sum(Simulation simulation, ToLongFunction<Minute> value) {
		return simulation.minutes().stream().mapToLong(value).sum();
	}

	@Nested
	class Budgets {

		@Test
		void attemptsAreMadeAndThenEveryMessageIsParked() {
			Simulation simulation = simulate(fixed(3), SimulatedLoad.of(10, LONG).lasting(MINUTE));
			assertThat(simulation.messages()).isEqualTo(600);
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.RETRY_BUDGET_EXHAUSTED, 600L));
			assertThat(simulation.handlerCalls()).isEqualTo(2400).isEqualTo(simulation.failedCalls());
			assertThat(simulation.retries()).isEqualTo(1800);
			assertThat(simulation.lastRetry()).isEqualTo(Duration.ofMillis(59_900 + 30_000))
				.isEqualTo(simulation.lastParked())
				.isEqualTo(simulation.end());
			assertThat(simulation.waitingPeak().value()).isEqualTo(301);
			assertThat(simulation.downstreamPeak()).isEqualTo(new Simulation.Peak(40, Duration.ofSeconds(30)));
			assertThat(simulation.minutes()).hasSize(2);
		}

		@Test
		void whatOutlastsTheOutageIsHandled() {
			Simulation simulation = simulate(fixed(3), SimulatedLoad.of(10, Duration.ofSeconds(45)).lasting(MINUTE));
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.RETRY_BUDGET_EXHAUSTED, 150L));
			assertThat(simulation.succeeded()).isEqualTo(450);
		}

		@Test
		void theAgeEndsRetries() {
			Simulation simulation = simulate(fixed(9).maxRetryAge(Duration.ofSeconds(25)),
					SimulatedLoad.of(10, LONG).lasting(MINUTE));
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.RETRY_AGE_EXCEEDED, 600L));
			assertThat(simulation.retries()).isEqualTo(1200);
		}

		@Test
		void theSumOfDelaysEndsRetries() {
			Simulation simulation = simulate(fixed(9).maxCumulativeDelay(Duration.ofSeconds(10)),
					SimulatedLoad.of(10, LONG).lasting(MINUTE));
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.RETRY_BUDGET_EXHAUSTED, 600L));
			assertThat(simulation.retries()).isEqualTo(600);
		}

		@Test
		void localAttemptsMultiply() {
			Simulation simulation = simulate(fixed(1).localAttempts(3).localDelay(Duration.ofMillis(100)),
					SimulatedLoad.of(10, LONG).lasting(MINUTE));
			assertThat(simulation.handlerCalls()).isEqualTo(3600);
			assertThat(simulation.lastParked()).isEqualTo(Duration.ofMillis(59_900 + 10_000 + 400));
		}

		@Test
		void withoutAttemptsNothingWaits() {
			Simulation simulation = simulate(TestPolicy.order().brokerAttempts(0),
					SimulatedLoad.of(10, LONG).lasting(MINUTE));
			assertThat(simulation.waitingPeak().value()).isZero();
			assertThat(simulation.lastRetry()).isNull();
			assertThat(simulation.allParked()).isEqualTo(600);
		}

	}

	@Nested
	class Outages {

		@Test
		void canBeginLaterThanTheFirstMessage() {
			Simulation simulation = simulate(fixed(3),
					SimulatedLoad.of(10, Duration.ofSeconds(45)).outageAt(MINUTE).lasting(MINUTE.multipliedBy(2)));
			assertThat(simulation.minutes().get(0).failedCalls()).isZero();
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.RETRY_BUDGET_EXHAUSTED, 150L));
			assertThat(simulation.succeeded()).isEqualTo(1_050);
		}

		@Test
		void areWaitedForWhereNothingSaysHowLongMessagesArrive() {
			Simulation simulation = simulate(fixed(9), SimulatedLoad.of(10, Duration.ofSeconds(45)).outageAt(MINUTE));
			assertThat(simulation.failedCalls()).isGreaterThan(450);
			assertThat(simulation.end()).isGreaterThan(Duration.ofSeconds(105));
		}

	}

	@Nested
	class Failures {

		@Test
		void permanentOnesAreParkedAtOnce() {
			Simulation simulation = simulate(fixed(3),
					SimulatedLoad.of(10, LONG)
						.failing(FailureClass.PERMANENT_BUSINESS, "QUOTE_EXPIRED")
						.lasting(MINUTE));
			assertThat(simulation.parked()).isEqualTo(Map.of("QUOTE_EXPIRED", 600L));
			assertThat(simulation.handlerCalls()).isEqualTo(600);
		}

		@Test
		void someAreDiscarded() {
			Simulation simulation = simulate(fixed(3).discardOn("STALE"),
					SimulatedLoad.of(10, LONG).failing(FailureClass.PERMANENT_BUSINESS, "STALE").lasting(MINUTE));
			assertThat(simulation.discarded()).isEqualTo(Map.of("STALE", 600L));
			assertThat(simulation.allParked()).isZero();
		}

		@Test
		void aPartOfTheCallsFails() {
			Simulation simulation = simulate(fixed(9), SimulatedLoad.of(100, LONG).failing(0.25).lasting(MINUTE));
			assertThat((double) simulation.failedCalls() / simulation.handlerCalls()).isBetween(0.22, 0.28);
			assertThat(simulation.succeeded()).isGreaterThan(5_900);
		}

		@Test
		void callsThatTakeTooLongTimeOut() {
			Simulation simulation = simulate(
					fixed(2).handlerTime(new HandlerTime(Duration.ofSeconds(2), Duration.ofMinutes(1)))
						.parkOn(Reasons.HANDLER_TIMEOUT),
					SimulatedLoad.of(10, Duration.ZERO)
						.calls(Duration.ofSeconds(5), Duration.ofSeconds(5))
						.lasting(MINUTE));
			assertThat(simulation.parked()).isEqualTo(Map.of(Reasons.HANDLER_TIMEOUT, 600L));
			assertThat(simulation.end()).isEqualTo(Duration.ofMillis(59_900 + 2_000));
		}

	}

	@Nested
	class Consumers {

		@Test
		void whatTheyHaveNoTimeForWaitsInTheWorkQueue() {
			SimulatedLoad load = SimulatedLoad.of(10, Duration.ofSeconds(30))
				.calls(Duration.ofMillis(100), Duration.ofSeconds(5));
			Simulation few = simulate(fixed(9), load.concurrency(5));
			assertThat(few.readyPeak().value()).isBetween(250L, 300L);
			assertThat(few.downstreamPeak().value()).isLessThanOrEqualTo(50);
			assertThat(few.allParked()).isZero();
			assertThat(simulate(fixed(9), load.concurrency(500)).readyPeak().value()).isZero();
		}

		@Test
		void thatWaitBetweenLocalAttemptsHandleNothingElseMeanwhile() {
			TestPolicy policy = fixed(9).localAttempts(2).localDelay(Duration.ofMillis(500));
			SimulatedLoad load = SimulatedLoad.of(10, MINUTE).lasting(MINUTE);
			assertThat(simulate(policy, load.concurrency(1)).failedCalls()).isBetween(230L, 240L);
			assertThat(simulate(policy, load).failedCalls()).isGreaterThan(4_000);
		}

		@Test
		void thatNeverKeepUpAreRefused() {
			assertThatIllegalArgumentException().isThrownBy(() -> simulate(fixed(1),
					SimulatedLoad.of(50, MINUTE).calls(Duration.ofSeconds(1), Duration.ofSeconds(1)).concurrency(10)))
				.withMessageStartingWith("'concurrency' is 10: 50.0 messages a second of PT1S each need more than 50");
		}

		@Test
		void thatNeverKeepUpAreSimulatedForATime() {
			Simulation simulation = simulate(fixed(1),
					SimulatedLoad.of(50, Duration.ZERO)
						.calls(Duration.ofSeconds(1), Duration.ofSeconds(1))
						.concurrency(10)
						.lasting(MINUTE));
			assertThat(simulation.readyPeak().value()).isEqualTo(2_400);
			assertThat(simulation.end()).isEqualTo(Duration.ofMillis(300_180));
		}

		@Test
		void arriveToMessagesThatAreTooOld() {
			Simulation simulation = simulate(fixed(9).maxRetryAge(Duration.ofMinutes(2)),
					SimulatedLoad.of(10, Duration.ofMinutes(10))
						.calls(Duration.ofMillis(1), Duration.ofSeconds(30))
						.concurrency(10)
						.lasting(Duration.ofMinutes(10)));
			assertThat(simulation.parked().keySet()).contains(Reasons.RETRY_AGE_EXCEEDED);
		}

	}

	@Nested
	class Features {

		@Test
		void theRatioOfRetriesIsKept() {
			RetryRatio ratio = new RetryRatio(0.1, Duration.ofSeconds(60), 10);
			TestPolicy policy = fixed(3).maxRetryAge(Duration.ofDays(1));
			SimulatedLoad load = SimulatedLoad.of(10, Duration.ofMinutes(5));
			Simulation without = simulate(policy, load);
			Simulation with = simulate(policy.ratio(ratio), load);
			assertThat(without.throttled()).isZero();
			assertThat(with.throttled()).isPositive();
			assertThat(with.minutes().subList(0, 5)).as("while the system is down")
				.allMatch((minute) -> minute.retries() <= 0.1 * 600 + 10 + 1);
			assertThat(with.notSimulated()).singleElement().asString().startsWith("retry-ratio: ");
		}

		/** 20/s for 30 s, the first half of it in an outage, and then nothing. */
		@ParameterizedTest
		@CsvSource({ "5s, 10s, 5m", "1s, 1s, 1m", "1m, 10s, 5m", "200ms, 1m, 10m" })
		void theRatioOfRetriesParksNothingThatAShortOutageDelayed(String delay, String window, String end) {
			Duration first = DurationStyle.detectAndParse(delay);
			RetryRatio ratio = new RetryRatio(0.2, DurationStyle.detectAndParse(window), 10);
			Simulation simulation = simulate(TestPolicy.order()
				.localAttempts(2)
				.brokerAttempts(5)
				.backoff(Backoff.exponential(first, 6, Duration.ofMinutes(30)))
				.maxRetryAge(Duration.ofHours(2))
				.ratio(ratio), SimulatedLoad.of(20, Duration.ofSeconds(15)).lasting(Duration.ofSeconds(30)));
			assertThat(simulation.succeeded()).isEqualTo(600);
			assertThat(simulation.end()).isLessThan(DurationStyle.detectAndParse(end));
			assertThat(simulation.throttled()).isLessThan(3_000);
		}

		@Test
		void retriesWaitForBusinessHours() {
			BusinessHours hours = new BusinessHours(Set.of(DayOfWeek.MONDAY, DayOfWeek.TUESDAY), LocalTime.of(9, 0),
					LocalTime.of(17, 0), ZoneOffset.UTC, Set.of());
			Simulation simulation = simulate(fixed(1).hours(hours).maxRetryAge(Duration.ofDays(5)),
					SimulatedLoad.of(1, MINUTE).startingAt(Instant.parse("2026-01-05T16:59:30Z")).lasting(MINUTE));
			assertThat(simulation.lastRetry()).isEqualTo(Duration.ofHours(16).plusSeconds(30));
			assertThat(simulation.downstreamPeak().value()).isEqualTo(40);
			assertThat(simulation.succeeded()).isEqualTo(40);
		}

		@Test
		void anOutageThatIsSeenUsesUpNoAttempts() {
			SimulatedLoad load = SimulatedLoad.of(10, Duration.ofMinutes(10));
			Simulation blind = simulate(fixed(3), load);
			Simulation seen = simulate(
					fixed(3).outage(new OutageSettings("stock", Set.of(Reasons.DOWNSTREAM_UNAVAILABLE), 0.5, 20,
							Duration.ofSeconds(5), Duration.ofMinutes(1), 3, true)),
					load);
			assertThat(blind.allParked()).isGreaterThan(5_000);
			assertThat(seen.allParked()).isZero();
			assertThat(seen.failedCalls()).isLessThan(100);
			assertThat(seen.readyPeak().value()).isGreaterThan(5_900);
			assertThat(seen.notSimulated()).singleElement().asString().startsWith("outage: ");
		}

		@Test
		void whatIsNotSimulatedIsNamed() {
			assertThat(
					simulate(fixed(1).maxCost(5L).maxDownstreamCalls(7L), SimulatedLoad.of(1, MINUTE)).notSimulated())
				.containsExactly("max-downstream-calls: handlers report nothing here",
						"max-cost: handlers report nothing here");
		}

	}

	@Nested
	class Chance {

		private final TestPolicy jittered = TestPolicy.order()
			.brokerAttempts(5)
			.backoff(Backoff.exponential(Duration.ofSeconds(5), 2, Duration.ofMinutes(5)))
			.jitter(0.5);

		@Test
		void equalSeedsHaveEqualResults() {
			SimulatedLoad load = SimulatedLoad.of(20, Duration.ofMinutes(3)).failing(0.7);
			assertThat(simulate(this.jittered, load.seed(7))).isEqualTo(simulate(this.jittered, load.seed(7)));
			assertThat(simulate(this.jittered, load.seed(8))).isNotEqualTo(simulate(this.jittered, load.seed(7)));
		}

		@Test
		void jitterSpreadsWhatFailedTogether() {
			SimulatedLoad burst = SimulatedLoad.of(1000, LONG).lasting(Duration.ofMillis(100));
			Simulation spread = simulate(this.jittered, burst);
			assertThat(spread.minutes().get(1).callsPerSecond()).isBetween(1L, 60L);
			assertThat(spread.allParked()).isEqualTo(100);
		}

	}

	@Nested
	class Bounds {

		private final PolicySimulator small = new PolicySimulator(10_000, 500);

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
				1000 | PT1M | 60,000 messages are more than the 10,000 that are simulated. Lower 'rate'
				30   | PT5M | Calls and returns of messages are more than 10,000
				100  | PT1M | More than 500 messages wait at a time""")
		void moreThanCanBeSimulatedIsRefused(double rate, Duration outage, String says) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.small
				.simulate(fixed(3).backoff((rate == 30) ? Backoff.fixed(Duration.ofSeconds(1)) : Backoff.fixed(MINUTE))
					.build(), SimulatedLoad.of(rate, outage)))
				.withMessageStartingWith(says);
		}

		@Test
		void whatDoesNotEndIsRefused() {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> PolicySimulatorTests.this.simulator.simulate(
						fixed(3).handlerTime(new HandlerTime(Duration.ofSeconds(2), MINUTE)).build(),
						SimulatedLoad.of(0.2, MINUTE).calls(Duration.ofSeconds(3), Duration.ZERO)))
				.withMessageStartingWith("It does not end within 30 days.");
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
				0        | PT1M    | 1   | 'rate' is 0.0 messages a second. It must be more than 0 and at most 100000.
				NaN      | PT1M    | 1   | 'rate' is NaN
				200000   | PT1M    | 1   | 'rate' is 200000.0
				1        | -PT1S   | 1   | 'outage' is PT-1S. It must be from PT0S to PT336H.
				1        | PT400H  | 1   | 'outage' is PT400H.
				1        | PT1M    | 1.1 | 'failing' is 110""")
		void loadsThatMakeNoSenseAreRefused(double rate, Duration outage, double failing, String says) {
			assertThatIllegalArgumentException().isThrownBy(() -> SimulatedLoad.of(rate, outage).failing(failing))
				.withMessageStartingWith(says);
		}

		@Test
		void otherValuesThatMakeNoSenseAreRefused() {
			SimulatedLoad load = SimulatedLoad.of(1, MINUTE);
			assertThatIllegalArgumentException().isThrownBy(() -> load.outageAt(Duration.ofSeconds(-1)))
				.withMessage("'outageAt' is PT-1S. It must be from PT0S to PT336H.");
			assertThatIllegalArgumentException().isThrownBy(() -> load.concurrency(0))
				.withMessage("'concurrency' is 0. It must be 1 or more.");
			assertThatIllegalArgumentException().isThrownBy(() -> load.lasting(Duration.ZERO))
				.withMessageStartingWith("'duration' is PT0S.");
			assertThatIllegalArgumentException().isThrownBy(() -> load.failing(FailureClass.UNKNOWN, "no reason"))
				.withMessageStartingWith("'reason' is 'no reason'.");
			assertThatIllegalArgumentException().isThrownBy(() -> load.calls(Duration.ofDays(2), Duration.ZERO))
				.withMessageStartingWith("'handlerTime' is PT48H.");
		}

	}

	@Test
	void minutesOfABigSimulationAreAllThere() {
		Simulation simulation = simulate(fixed(3), SimulatedLoad.of(50, Duration.ofHours(2)));
		assertThat(simulation.minutes()).hasSizeBetween(120, 122);
		assertThat(simulation.minutes()).extracting(Minute::minute).startsWith(0, 1, 2);
		assertThat(List.copyOf(simulation.parked().keySet())).containsExactly(Reasons.RETRY_BUDGET_EXHAUSTED);
	}

}
