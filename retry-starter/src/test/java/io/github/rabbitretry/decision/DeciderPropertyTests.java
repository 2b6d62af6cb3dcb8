/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.policy.Backoff;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.policy.TestPolicy;
import io.github.rabbitretry.topology.DelayLevel;
import io.github.rabbitretry.topology.DeliveryHistory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends messages that always fail through random policies, under a clock that only moves
 * by the delays decided, and compares every decision with the rules written down plainly.
 */
class DeciderPropertyTests {

	private static final Instant START = Instant.parse("2026-07-01T12:00:00Z");

	private static final List<String> REASONS = List.of("A", "B", "C", "D");

	@ParameterizedTest(name = "seed {0}")
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void everyMessageEndsWithinEveryBudgetAndNoneEndsBeforeOne(long seed) {
		Random random = new Random(seed);
		for (int round = 0; round < 500; round++) {
			MessagePolicy policy = policy(random);
			new Journey(policy, random).run();
		}
	}

	private static MessagePolicy policy(Random random) {
		Duration initial = Duration.ofMillis(100 + random.nextInt(60_000));
		Duration max = initial.plusMillis(random.nextInt(1_000_000));
		Backoff backoff = switch (random.nextInt(4)) {
			case 0 -> new Backoff.Fixed(initial);
			case 1 -> new Backoff.Linear(initial, max);
			case 2 -> new Backoff.Exponential(initial, 1 + random.nextDouble() * 5, max);
			default -> new Backoff.Schedule(IntStream.rangeClosed(0, random.nextInt(4))
				.mapToObj((index) -> Duration.ofMillis(100 + random.nextInt(600_000)))
				.toList());
		};
		TestPolicy policy = TestPolicy.order()
			.backoff(backoff)
			.jitter(random.nextBoolean() ? 0 : random.nextDouble())
			.brokerAttempts(random.nextInt(9))
			.maxRetryAge(Duration.ofMillis(1 + random.nextInt(3_600_000)));
		if (random.nextInt(3) == 0) {
			policy.maxCumulativeDelay(Duration.ofMillis(1 + random.nextInt(1_800_000)));
		}
		if (random.nextInt(4) == 0) {
			policy.parkOn("A");
		}
		if (random.nextInt(4) == 0) {
			policy.discardOn("B");
		}
		return policy.build();
	}

	private static FailureClassification failure(Random random) {
		FailureClass failureClass = (random.nextInt(10) == 0)
				? FailureClass.values()[random.nextInt(FailureClass.values().length)] : FailureClass.TRANSIENT;
		Duration asked = (random.nextInt(5) == 0) ? Duration.ofMillis(1 + random.nextInt(1_200_000)) : null;
		return new FailureClassification(failureClass, REASONS.get(random.nextInt(REASONS.size())), asked);
	}

	/** One message from its first delivery to its end. */
	private static final class Journey {

		private final MessagePolicy policy;

		private final Random random;

		private final Decider decider;

		private final List<Duration> delays = new ArrayList<>();

		private Instant now = START;

		private @Nullable Instant firstFailure;

		private @Nullable Instant notBefore;

		private int calls;

		Journey(MessagePolicy policy, Random random) {
			this.policy = policy;
			this.random = random;
			this.decider = new Decider(random);
		}

		void run() {
			boolean goesOn = true;
			while (goesOn) {
				assertThat(this.calls).isLessThanOrEqualTo(this.policy.brokerAttempts());
				goesOn = deliver();
			}
			assertThat(this.calls).isLessThanOrEqualTo(this.policy.brokerAttempts() + 1);
		}

		private boolean deliver() {
			if (this.random.nextInt(10) == 0) {
				// nobody consumes for a while
				this.now = this.now.plusSeconds(this.random.nextInt(4000));
			}
			Optional<Decision> refusal = this.decider.admit(this.policy, history(),
					FailureClassification.of(FailureClass.TRANSIENT, "LAST"), this.now);
			boolean tooOld = this.firstFailure != null
					&& this.now.isAfter(this.firstFailure.plus(this.policy.maxRetryAge()));
			assertThat(refusal.isPresent()).isEqualTo(tooOld);
			if (tooOld) {
				assertThat(refusal).contains(new Decision.Park("RETRY_AGE_EXCEEDED", FailureClass.TRANSIENT, "LAST"));
				return false;
			}
			if (this.notBefore != null && this.notBefore.isAfter(this.now)) {
				postpone(this.notBefore);
				return true;
			}
			return fail();
		}

		/** Goes on waiting as the advice does. */
		private void postpone(Instant until) {
			DelayLevel level = this.policy.delays().towards(Duration.between(this.now, until));
			this.now = this.now.plus(level.delay());
			Duration shortest = this.policy.delays().levels().get(0).delay();
			assertThat(this.now).isBeforeOrEqualTo(until.plus(shortest));
		}

		private boolean fail() {
			FailureClassification failure = failure(this.random);
			Decision decision = this.decider.decide(this.policy, history(), failure, this.now);
			assertThat(allowed(failure)).contains(decision);
			this.calls++;
			if (!(decision instanceof Decision.Retry retry)) {
				return false;
			}
			this.firstFailure = (this.firstFailure != null) ? this.firstFailure : this.now;
			Duration delay = (retry.notBefore() != null) ? Duration.between(this.now, retry.notBefore())
					: retry.level().delay();
			this.delays.add(delay);
			this.notBefore = retry.notBefore();
			assertThat(retry.attempt()).isEqualTo(this.delays.size());
			assertThat(this.now.plus(delay)).isBeforeOrEqualTo(this.firstFailure.plus(this.policy.maxRetryAge()));
			if (this.policy.maxCumulativeDelay() != null) {
				assertThat(sum()).isLessThanOrEqualTo(this.policy.maxCumulativeDelay());
			}
			this.now = this.now.plus(retry.level().delay());
			return true;
		}

		/** The rules; jitter leaves more than one way to keep them. */
		private Set<Decision> allowed(FailureClassification failure) {
			String reason = failure.reason();
			FailureClass failureClass = failure.failureClass();
			if (this.policy.discardOn().contains(reason)) {
				return Set.of(new Decision.Discard(reason, failureClass));
			}
			boolean hopeless = Set
				.of(FailureClass.PERMANENT_BUSINESS, FailureClass.PERMANENT_TECHNICAL, FailureClass.POISON)
				.contains(failureClass);
			if (hopeless || this.policy.parkOn().contains(reason)) {
				return Set.of(new Decision.Park(reason, failureClass, reason));
			}
			if (this.delays.size() == this.policy.brokerAttempts()) {
				return Set.of(new Decision.Park("RETRY_BUDGET_EXHAUSTED", failureClass, reason));
			}
			Set<Decision> allowed = new HashSet<>();
			for (DelayLevel level : this.policy.delays().levels(this.delays.size() + 1)) {
				allowed.add(allowed(level, failure));
			}
			return allowed;
		}

		private Decision allowed(DelayLevel level, FailureClassification failure) {
			Duration asked = failure.askedDelay().orElse(Duration.ZERO);
			boolean asksForMore = asked.compareTo(level.delay()) > 0;
			Duration delay = asksForMore ? asked : level.delay();
			Instant first = (this.firstFailure != null) ? this.firstFailure : this.now;
			if (this.now.plus(delay).isAfter(first.plus(this.policy.maxRetryAge()))) {
				return new Decision.Park("RETRY_AGE_EXCEEDED", failure.failureClass(), failure.reason());
			}
			if (this.policy.maxCumulativeDelay() != null
					&& sum().plus(delay).compareTo(this.policy.maxCumulativeDelay()) > 0) {
				return new Decision.Park("RETRY_BUDGET_EXHAUSTED", failure.failureClass(), failure.reason());
			}
			int attempt = this.delays.size() + 1;
			return asksForMore
					? new Decision.Retry(attempt, this.policy.delays().towards(delay), this.now.plus(delay),
							failure.reason(), failure.failureClass())
					: new Decision.Retry(attempt, level, null, failure.reason(), failure.failureClass());
		}

		private Duration sum() {
			return this.delays.stream().reduce(Duration.ZERO, Duration::plus);
		}

		private DeliveryHistory history() {
			return new DeliveryHistory(this.delays.size(), this.firstFailure, this.notBefore, sum(), List.of());
		}

	}

}
