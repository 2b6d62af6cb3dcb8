/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends messages that always fail through random policies, under a clock that only moves
 * by the delays decided, and compares every decision with the rules written down plainly.
 */
class DeciderPropertyTests {

	private static final Instant START = Instant.parse("2026-03-27T12:00:00Z");

	private static final List<String> REASONS = List.of("A", "B", "C", "D");

	@ParameterizedTest(name = "seed {0}")
	@ValueSource(longs = { 1, 2 })
	void everyMessageEndsWithinEveryBudgetAndNoneEndsBeforeOne(long seed) {
		run(seed, 500);
	}

	@Tag("long")
	@ParameterizedTest(name = "seed {0}")
	@ValueSource(longs = { 3, 4, 5, 6, 7, 8 })
	void everyMessageEndsWithinEveryBudgetAndNoneEndsBeforeOneHoweverManyAreTried(long seed) {
		run(seed, 1000);
	}

	private static void run(long seed, int rounds) {
		Random random = new Random(seed);
		for (int round = 0; round < rounds; round++) {
			new Journey(policy(random), random).run();
		}
	}

	private static MessagePolicy policy(Random random) {
		Duration initial = Duration.ofMillis(100 + random.nextInt(60_000));
		Duration max = initial.plusMillis(random.nextInt(1_000_000));
		Backoff backoff = switch (random.nextInt(4)) {
			case 0 -> Backoff.fixed(initial);
			case 1 -> Backoff.linear(initial, max);
			case 2 -> Backoff.exponential(initial, 1 + random.nextDouble() * 5, max);
			default -> Backoff.schedule(IntStream.rangeClosed(0, random.nextInt(4))
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
		if (random.nextInt(3) == 0) {
			policy.maxDownstreamCalls(1L + random.nextInt(12));
		}
		if (random.nextInt(3) == 0) {
			policy.maxCost(1L + random.nextInt(100));
		}
		if (random.nextInt(4) == 0) {
			policy.parkOn("A");
		}
		if (random.nextInt(4) == 0) {
			policy.discardOn("B");
		}
		if (random.nextInt(4) == 0) {
			policy.hours(hours(random)).maxRetryAge(Duration.ofHours(1 + random.nextInt(200)));
		}
		if (random.nextBoolean()) {
			policy.rejection(new RejectionTarget("events", "order.rejected", true));
		}
		return policy.build();
	}

	private static BusinessHours hours(Random random) {
		Set<DayOfWeek> days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)));
		IntStream.range(0, random.nextInt(6)).forEach((i) -> days.add(DayOfWeek.of(1 + random.nextInt(7))));
		LocalTime opens = LocalTime.of(random.nextInt(12), random.nextInt(60));
		LocalTime closes = random.nextBoolean() ? LocalTime.MIDNIGHT : opens.plusMinutes(30 + random.nextInt(600));
		ZoneId zone = ZoneId.of(List.of("UTC", "Europe/Berlin", "America/New_York").get(random.nextInt(3)));
		return new BusinessHours(days, opens, closes, zone, Set.of(LocalDate.of(2026, 3, 28 + random.nextInt(4))));
	}

	private static FailureClassification failure(Random random) {
		FailureClass failureClass = (random.nextInt(10) == 0)
				? FailureClass.values()[random.nextInt(FailureClass.values().length)] : FailureClass.TRANSIENT;
		String reason = REASONS.get(random.nextInt(REASONS.size()));
		Duration asked = (random.nextInt(5) == 0) ? Duration.ofMillis(1 + random.nextInt(1_200_000)) : null;
		return new FailureClassification(failureClass, reason, asked,
				(random.nextInt(3) == 0) ? instruction(random) : null);
	}

	private static Instruction instruction(Random random) {
		return switch (random.nextInt(13)) {
			case 0 -> new Instruction.Park();
			case 12 -> new Instruction.Reject("event");
			case 1 -> new Instruction.Discard();
			case 2 -> new Instruction.Return();
			case 3, 4 -> new Instruction.Retry();
			case 5, 6 -> new Instruction.RetryAtLevel(1 + random.nextInt(12));
			case 7, 8, 9 -> new Instruction.RetryAtNextLevel();
			default -> new Instruction.RetryAfter(Duration.ofMillis(1 + random.nextInt(1_200_000)));
		};
	}

	/** One message from its first delivery to its end. */
	private static final class Journey {

		private final MessagePolicy policy;

		private final Random random;

		private final Decider decider;

		private final List<Duration> delays = new ArrayList<>();

		private Instant now = START;

		private @Nullable Instant firstFailure;

		private int level;

		private Usage usage = Usage.NONE;

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
			assertThat(refusal.orElse(null)).isEqualTo(refused());
			if (refusal.orElse(null) instanceof Decision.Postpone postpone) {
				this.now = postpone.until();
				return true;
			}
			return refusal.isEmpty() && fail();
		}

		private @Nullable Decision refused() {
			if (this.firstFailure == null) {
				return null;
			}
			Instant open = opening(this.now);
			if (open.isAfter(this.firstFailure.plus(this.policy.maxRetryAge()))) {
				return new Decision.Park("RETRY_AGE_EXCEEDED", FailureClass.TRANSIENT, "LAST");
			}
			return open.equals(this.now) ? null : new Decision.Postpone(open);
		}

		private boolean fail() {
			this.calls++;
			this.usage = this.usage.plus(this.random.nextInt(4), this.random.nextInt(20));
			FailureClassification failure = failure(this.random);
			Decision decision = this.decider.decide(this.policy, history(), failure, this.now);
			assertThat(allowed(failure)).contains(decision);
			if (!(decision instanceof Decision.Retry retry)) {
				return false;
			}
			this.firstFailure = (this.firstFailure != null) ? this.firstFailure : this.now;
			this.delays.add(retry.delay());
			this.level = retry.level();
			assertThat(retry.attempt()).isEqualTo(this.delays.size());
			assertThat(this.now.plus(retry.delay()))
				.isBeforeOrEqualTo(this.firstFailure.plus(this.policy.maxRetryAge()));
			if (this.policy.maxCumulativeDelay() != null) {
				assertThat(sum()).isLessThanOrEqualTo(this.policy.maxCumulativeDelay());
			}
			this.now = this.now.plus(retry.delay());
			return true;
		}

		/** The rules; jitter leaves more than one way to keep them. */
		private Set<Decision> allowed(FailureClassification failure) {
			String reason = failure.reason();
			FailureClass failureClass = failure.failureClass();
			Instruction demanded = failure.instruction();
			if (demanded instanceof Instruction.Return) {
				return Set.of(new Decision.Return(reason));
			}
			boolean discards = (demanded != null) ? demanded instanceof Instruction.Discard
					: this.policy.discardOn().contains(reason);
			if (discards) {
				return Set.of(new Decision.Discard(reason, failureClass));
			}
			boolean hopeless = Set
				.of(FailureClass.PERMANENT_BUSINESS, FailureClass.PERMANENT_TECHNICAL, FailureClass.POISON)
				.contains(failureClass);
			boolean parks = (demanded != null) ? demanded instanceof Instruction.Park
					: hopeless || this.policy.parkOn().contains(reason);
			if (demanded instanceof Instruction.Reject && this.policy.rejection() != null) {
				return Set.of(new Decision.Reject(reason, failureClass, "event"));
			}
			if (parks || demanded instanceof Instruction.Reject) {
				return Set.of(new Decision.Park(reason, failureClass, reason));
			}
			if (this.delays.size() == this.policy.brokerAttempts() || spent()) {
				return Set.of(new Decision.Park("RETRY_BUDGET_EXHAUSTED", failureClass, reason));
			}
			return waits(failure, demanded);
		}

		private boolean spent() {
			Long calls = this.policy.budget().maxDownstreamCalls();
			Long cost = this.policy.budget().maxCost();
			return (calls != null && this.usage.downstreamCalls() >= calls)
					|| (cost != null && this.usage.cost() >= cost);
		}

		private Set<Decision> waits(FailureClassification failure, @Nullable Instruction demanded) {
			if (demanded instanceof Instruction.RetryAfter after) {
				return Set.of(waits(failure, this.level, after.delay()));
			}
			if (demanded instanceof Instruction.RetryAtLevel at) {
				return Set.of(waits(failure, at.level(), this.policy.delays().delayOf(at.level())));
			}
			if (demanded instanceof Instruction.RetryAtNextLevel) {
				return Set.of(waits(failure, this.level + 1, this.policy.delays().delayOf(this.level + 1)));
			}
			Set<Decision> allowed = new HashSet<>();
			Duration asked = failure.askedDelay().orElse(Duration.ZERO);
			int attempt = this.delays.size() + 1;
			Duration shortest = this.policy.delays().level(attempt).delay();
			Duration longest = this.policy.delays().longest(attempt);
			for (Duration drawn = shortest; drawn.compareTo(longest) <= 0; drawn = drawn.plus(DelayLadder.UNIT)) {
				allowed.add(waits(failure, attempt, (asked.compareTo(drawn) > 0) ? asked : drawn));
			}
			return allowed;
		}

		private Decision waits(FailureClassification failure, int atLevel, Duration wish) {
			Duration delay = Duration.between(this.now, opening(this.now.plus(wish)));
			if (this.policy.hours() != null && delay.compareTo(Duration.ofDays(10)) > 0) {
				delay = Duration.ofDays(10);
			}
			Instant tooOld = ((this.firstFailure != null) ? this.firstFailure : this.now)
				.plus(this.policy.maxRetryAge());
			Duration altogether = this.policy.topology().waitingTime(delay);
			if (this.now.plus(delay).isAfter(tooOld)
					|| altogether.compareTo(delay) > 0 && !this.now.plus(altogether).isBefore(tooOld)) {
				return new Decision.Park("RETRY_AGE_EXCEEDED", failure.failureClass(), failure.reason());
			}
			if (this.policy.maxCumulativeDelay() != null
					&& sum().plus(delay).compareTo(this.policy.maxCumulativeDelay()) > 0) {
				return new Decision.Park("RETRY_BUDGET_EXHAUSTED", failure.failureClass(), failure.reason());
			}
			return new Decision.Retry(this.delays.size() + 1, atLevel, delay, failure.reason(), failure.failureClass());
		}

		/** Looks at the clock on the wall, minute by minute. */
		private Instant opening(Instant from) {
			BusinessHours hours = this.policy.hours();
			if (hours == null || open(hours, from)) {
				return from;
			}
			Instant minute = from.truncatedTo(ChronoUnit.MINUTES);
			while (!open(hours, minute)) {
				minute = minute.plusSeconds(60);
			}
			return minute;
		}

		private static boolean open(BusinessHours hours, Instant at) {
			ZonedDateTime local = at.atZone(hours.zone());
			LocalTime time = local.toLocalTime();
			return hours.days().contains(local.getDayOfWeek()) && !hours.holidays().contains(local.toLocalDate())
					&& !time.isBefore(hours.opens())
					&& (hours.closes().equals(LocalTime.MIDNIGHT) || time.isBefore(hours.closes()));
		}

		private Duration sum() {
			return this.delays.stream().reduce(Duration.ZERO, Duration::plus);
		}

		private DeliveryHistory history() {
			return new DeliveryHistory(this.delays.size(), this.firstFailure, null, sum(), this.level, this.usage, null,
					List.of());
		}

	}

}
