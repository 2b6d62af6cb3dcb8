/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeciderTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private final Decider decider = new Decider(new Random(1));

	@ParameterizedTest
	@EnumSource(FailureClass.class)
	void onlyRetryableClassesAreRetried(FailureClass failureClass) {
		Decision decision = decide(TestPolicy.order(), history(0, null, "PT0S"), failureClass, null);
		assertThat(decision).isInstanceOf(failureClass.retryable() ? Decision.Retry.class : Decision.Park.class);
	}

	@ParameterizedTest
	@MethodSource
	void decidesByReasonThenClassThenBudgets(Row row) {
		assertThat(decide(row.policy, row.history, row.failureClass, row.retryAfter)).isEqualTo(row.expected);
	}

	static Stream<Row> decidesByReasonThenClassThenBudgets() {
		return Stream.of(
				// attempts: 3 are allowed, after 1, 2 and 4 seconds
				row(attempt(0), FailureClass.TRANSIENT, null, retry(1, "PT1S", FailureClass.TRANSIENT)),
				row(attempt(1), FailureClass.CONTENTION, null, retry(2, "PT2S", FailureClass.CONTENTION)),
				row(attempt(2), FailureClass.UNKNOWN, null, retry(3, "PT4S", FailureClass.UNKNOWN)),
				row(attempt(3), FailureClass.TRANSIENT, null, exhausted(FailureClass.TRANSIENT)),
				row(attempt(99), FailureClass.UNKNOWN, null, exhausted(FailureClass.UNKNOWN)),
				new Row(TestPolicy.order().brokerAttempts(0), attempt(0), FailureClass.TRANSIENT, null,
						exhausted(FailureClass.TRANSIENT)),
				// reasons go before classes and budgets, discarding before parking
				new Row(TestPolicy.order().parkOn("WHY"), attempt(0), FailureClass.TRANSIENT, null,
						new Decision.Park("WHY", FailureClass.TRANSIENT, "WHY")),
				new Row(TestPolicy.order().parkOn("WHY"), attempt(3), FailureClass.TRANSIENT, null,
						new Decision.Park("WHY", FailureClass.TRANSIENT, "WHY")),
				new Row(TestPolicy.order().discardOn("WHY"), attempt(3), FailureClass.TRANSIENT, null,
						new Decision.Discard("WHY", FailureClass.TRANSIENT)),
				new Row(TestPolicy.order().discardOn("WHY"), attempt(0), FailureClass.POISON, null,
						new Decision.Discard("WHY", FailureClass.POISON)),
				new Row(TestPolicy.order().discardOn("WHY").parkOn("WHY"), attempt(0), FailureClass.UNKNOWN, null,
						new Decision.Discard("WHY", FailureClass.UNKNOWN)),
				new Row(TestPolicy.order().discardOn("OTHER").parkOn("ANOTHER"), attempt(0), FailureClass.UNKNOWN, null,
						retry(1, "PT1S", FailureClass.UNKNOWN)),
				row(attempt(0), FailureClass.PERMANENT_BUSINESS, null,
						new Decision.Park("WHY", FailureClass.PERMANENT_BUSINESS, "WHY")),
				row(attempt(3), FailureClass.POISON, null, new Decision.Park("WHY", FailureClass.POISON, "WHY")),
				// age: the attempt must come within an hour of the first failure
				row(history(1, "2026-07-01T11:00:02Z", "PT1S"), FailureClass.TRANSIENT, null,
						retry(2, "PT2S", FailureClass.TRANSIENT)),
				row(history(1, "2026-07-01T11:00:01.999Z", "PT1S"), FailureClass.TRANSIENT, null,
						tooOld(FailureClass.TRANSIENT)),
				new Row(TestPolicy.order().maxRetryAge(Duration.ofMillis(999)), attempt(0), FailureClass.TRANSIENT,
						null, tooOld(FailureClass.TRANSIENT)),
				row(history(1, null, "PT1S"), FailureClass.TRANSIENT, null, retry(2, "PT2S", FailureClass.TRANSIENT)),
				// the sum of delays
				bounded("PT3S", history(1, null, "PT1S"), null, retry(2, "PT2S", FailureClass.TRANSIENT)),
				bounded("PT2.999S", history(1, null, "PT1S"), null, exhausted(FailureClass.TRANSIENT)),
				bounded("PT0.5S", attempt(0), null, exhausted(FailureClass.TRANSIENT)),
				bounded("PT9S", history(1, null, "PT1S"), "PT9S", exhausted(FailureClass.TRANSIENT)),
				// what the called service asks for counts if it is longer
				row(attempt(0), FailureClass.TRANSIENT, "PT0.5S", retry(1, "PT1S", FailureClass.TRANSIENT)),
				row(attempt(0), FailureClass.TRANSIENT, "PT1S", retry(1, "PT1S", FailureClass.TRANSIENT)),
				row(attempt(0), FailureClass.TRANSIENT, "PT3S", retryAfter(1, "PT3S")),
				row(attempt(0), FailureClass.TRANSIENT, "PT59M", retryAfter(1, "PT59M")),
				row(attempt(2), FailureClass.TRANSIENT, "PT59M", retryAfter(3, "PT59M")),
				row(attempt(0), FailureClass.TRANSIENT, "PT1H0.001S", tooOld(FailureClass.TRANSIENT)),
				// composed of 2 seconds and twice 1, and would come back when it is too
				// old
				row(history(1, "2026-07-01T11:00:04.001Z", "PT1S"), FailureClass.TRANSIENT, "PT3.5S",
						retryAfter(2, "PT3.5S")),
				row(history(1, "2026-07-01T11:00:04Z", "PT1S"), FailureClass.TRANSIENT, "PT3.5S",
						tooOld(FailureClass.TRANSIENT)),
				row(attempt(0), FailureClass.POISON, "PT3S", new Decision.Park("WHY", FailureClass.POISON, "WHY")));
	}

	@Test
	void aDelayBeyondAllBoundsParksAndDoesNotOverflow() {
		TestPolicy ageless = TestPolicy.order().maxRetryAge(Duration.ofSeconds(Long.MAX_VALUE));
		for (Duration asked : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(36_500))) {
			FailureClassification failure = new FailureClassification(FailureClass.TRANSIENT, "WHY", asked);
			Decision decision = this.decider.decide(ageless.build(), attempt(0), failure, NOW);
			assertThat(decision).isEqualTo(retryAfter(1, "PT240H"));
			assertThat(this.decider.decide(TestPolicy.order().build(), attempt(0), failure, NOW))
				.isEqualTo(tooOld(FailureClass.TRANSIENT));
		}
	}

	@Test
	void theHandlerIsCalledAgainAtOnceUnlessTheFailureNeedsSomethingElse() {
		TestPolicy policy = TestPolicy.order().parkOn("PARK").discardOn("DISCARD");
		FailureClassification other = FailureClassification.of(FailureClass.TRANSIENT, "OTHER");
		assertThat(handlesAgain(policy, Usage.NONE, other)).isTrue();
		assertThat(Stream.of(FailureClassification.of(FailureClass.POISON, "OTHER"),
				FailureClassification.of(FailureClass.TRANSIENT, "PARK"),
				FailureClassification.of(FailureClass.TRANSIENT, "DISCARD"),
				new FailureClassification(FailureClass.TRANSIENT, "OTHER", Duration.ofMillis(1)),
				FailureClassification.instructed(FailureClass.TRANSIENT, "OTHER", new Instruction.Retry())))
			.noneMatch((failure) -> handlesAgain(policy, Usage.NONE, failure));
	}

	@Test
	void theHandlerIsNotCalledAgainOnceItHasSpentItsBudget() {
		FailureClassification failure = FailureClassification.of(FailureClass.TRANSIENT, "WHY");
		TestPolicy calls = TestPolicy.order().maxDownstreamCalls(5L);
		assertThat(handlesAgain(calls, new Usage(4, 99), failure)).isTrue();
		assertThat(handlesAgain(calls, new Usage(5, 0), failure)).isFalse();
		TestPolicy cost = TestPolicy.order().maxCost(5L);
		assertThat(handlesAgain(cost, new Usage(99, 4), failure)).isTrue();
		assertThat(handlesAgain(cost, new Usage(0, 5), failure)).isFalse();
	}

	private boolean handlesAgain(TestPolicy policy, Usage usage, FailureClassification failure) {
		DeliveryHistory history = new DeliveryHistory(0, null, null, Duration.ZERO, 0, usage, null, List.of());
		return this.decider.handlesAgainAtOnce(policy.build(), history, failure);
	}

	@Test
	void admitsFirstDeliveriesAndYoungMessages() {
		assertThat(admit(DeliveryHistory.read(Map.of(), NOW))).isNull();
		assertThat(admit(history(1, "2026-07-01T11:00:00Z", "PT1S"))).isNull();
		assertThat(admit(history(99, "2026-07-01T11:30:00Z", "PT1S"))).isNull();
		assertThat(admit(history(1, null, "PT1S"))).isNull();
		assertThat(admit(history(0, "2026-06-01T12:00:00Z", "PT0S"))).isNull();
	}

	@Test
	void parksWhatWaitedTooLongToBeHandled() {
		assertThat(admit(history(1, "2026-07-01T10:59:59.999Z", "PT1S")))
			.isEqualTo(new Decision.Park("RETRY_AGE_EXCEEDED", FailureClass.CONTENTION, "LAST"));
	}

	@Test
	void aMessageThatNeverFailedIsHeldBackNoLongerThanItsAge() {
		assertThat(admit(waitsFor(Duration.ofHours(1)))).isEqualTo(new Decision.Postpone(NOW.plusSeconds(3600)));
		assertThat(admit(waitsFor(Duration.ofDays(9)))).isNull();
	}

	@Test
	void aMessageThatFailedWaitsOnOnlyIfItsAgeAllowsTheAttemptThen() {
		Decision tooOld = new Decision.Park("RETRY_AGE_EXCEEDED", FailureClass.CONTENTION, "LAST");
		Instant first = NOW.minus(Duration.ofMinutes(30));
		assertThat(admit(failedAndWaitsFor(first, Duration.ofMinutes(30))))
			.isEqualTo(new Decision.Postpone(NOW.plusSeconds(1800)));
		assertThat(admit(failedAndWaitsFor(first, Duration.ofMinutes(31)))).isEqualTo(tooOld);
		assertThat(admit(failedAndWaitsFor(first, Duration.ofDays(9)))).isEqualTo(tooOld);
		assertThat(admit(failedAndWaitsFor(null, Duration.ofHours(1))))
			.isEqualTo(new Decision.Postpone(NOW.plusSeconds(3600)));
		assertThat(admit(failedAndWaitsFor(null, Duration.ofDays(9)))).as("no age can be read").isEqualTo(tooOld);
	}

	private static DeliveryHistory failedAndWaitsFor(@Nullable Instant first, Duration delay) {
		return new DeliveryHistory(1, first, NOW.plus(delay), Duration.ZERO, 0, Usage.NONE, null, List.of());
	}

	private static DeliveryHistory waitsFor(Duration delay) {
		return DeliveryHistory.read(Map.of(AppHeaders.RETRY_NOT_BEFORE, NOW.plus(delay).toString(),
				AppHeaders.RETRY_DELAY, delay.toMillis()), NOW);
	}

	private @Nullable Decision admit(DeliveryHistory history) {
		return this.decider
			.admit(TestPolicy.order().build(), history, FailureClassification.of(FailureClass.CONTENTION, "LAST"), NOW)
			.orElse(null);
	}

	private Decision decide(TestPolicy policy, DeliveryHistory history, FailureClass failureClass,
			@Nullable String retryAfter) {
		FailureClassification failure = new FailureClassification(failureClass, "WHY",
				(retryAfter != null) ? Duration.parse(retryAfter) : null);
		return this.decider.decide(policy.build(), history, failure, NOW);
	}

	private static Row row(DeliveryHistory history, FailureClass failureClass, @Nullable String retryAfter,
			Decision expected) {
		return new Row(TestPolicy.order(), history, failureClass, retryAfter, expected);
	}

	private static Row bounded(String most, DeliveryHistory history, @Nullable String retryAfter, Decision expected) {
		return new Row(TestPolicy.order().maxCumulativeDelay(Duration.parse(most)), history, FailureClass.TRANSIENT,
				retryAfter, expected);
	}

	private static DeliveryHistory attempt(int attempt) {
		return history(attempt, (attempt > 0) ? "2026-07-01T11:59:00Z" : null, "PT0S");
	}

	private static DeliveryHistory history(int attempt, @Nullable String first, String delayed) {
		return new DeliveryHistory(attempt, (first != null) ? Instant.parse(first) : null, null,
				Duration.parse(delayed), attempt, Usage.NONE, null, List.of());
	}

	private static Decision retry(int attempt, String delay, FailureClass failureClass) {
		return new Decision.Retry(attempt, attempt, Duration.parse(delay), "WHY", failureClass);
	}

	private static Decision retryAfter(int attempt, String asked) {
		return new Decision.Retry(attempt, attempt, Duration.parse(asked), "WHY", FailureClass.TRANSIENT);
	}

	private static Decision exhausted(FailureClass failureClass) {
		return new Decision.Park("RETRY_BUDGET_EXHAUSTED", failureClass, "WHY");
	}

	private static Decision tooOld(FailureClass failureClass) {
		return new Decision.Park("RETRY_AGE_EXCEEDED", failureClass, "WHY");
	}

	private record Row(TestPolicy policy, DeliveryHistory history, FailureClass failureClass,
			@Nullable String retryAfter, Decision expected) {

		@Override
		public String toString() {
			return "%s, %s, Retry-After %s: %s".formatted(this.history, this.failureClass, this.retryAfter,
					this.expected);
		}

	}

}
