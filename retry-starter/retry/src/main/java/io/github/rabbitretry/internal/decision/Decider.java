/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Decides by instruction, class and budget. Has no state and no side effect: the same
 * failure of the same message at the same instant is decided alike, but for the draw of
 * jitter.
 */
public final class Decider {

	private final DelayChoice delays;

	/**
	 * Creates a decider.
	 * @param random where jitter comes from; called concurrently
	 */
	public Decider(RandomGenerator random) {
		this.delays = new DelayChoice(random);
	}

	/**
	 * Decides what becomes of a failed delivery.
	 * @param policy the message type's policy
	 * @param history what the message's headers say, with what was spent since
	 * @param failure what went wrong
	 * @param now the current instant
	 * @return the decision
	 */
	public Decision decide(MessagePolicy policy, DeliveryHistory history, FailureClassification failure, Instant now) {
		return decide(policy, history, failure, now, Watcher.NONE);
	}

	/**
	 * Decides what becomes of a failed delivery, and reports each step.
	 * @param policy the message type's policy
	 * @param history what the message's headers say, with what was spent since
	 * @param failure what went wrong
	 * @param now the current instant
	 * @param watcher the watcher to notify
	 * @return the decision
	 */
	public Decision decide(MessagePolicy policy, DeliveryHistory history, FailureClassification failure, Instant now,
			Watcher watcher) {
		String reason = failure.reason();
		FailureClass failureClass = failure.failureClass();
		Decision ended = withoutRetry(policy, failure, watcher);
		if (ended != null) {
			return ended;
		}
		if (attemptsMade(policy, history, watcher) || spent(policy.budget(), history.usage(), watcher)) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		int attempt = history.attempt() + 1;
		DelayChoice.Chosen chosen = this.delays.choose(policy, history, failure, now);
		watcher.step("delay", false,
				() -> "%s, %s".formatted(DurationFormatterUtils.print(chosen.delay(), Style.COMPOSITE), chosen.why()));
		if (exceedsAge(policy, history, now.plus(waitingTime(policy, chosen.delay())), now, watcher)) {
			return new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, failureClass, reason);
		}
		if (exceedsCumulativeDelay(policy, history.cumulativeDelay().plus(chosen.delay()), watcher)) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		return new Decision.Retry(attempt, chosen.level(), chosen.delay(), reason, failureClass);
	}

	/**
	 * Decides whether a message that came back is handled now: a message that waited
	 * longer than its age allows, because there was no consumer, is not; nor is one that
	 * came back before its time, or outside business hours. It waits on only if its age
	 * allows the attempt then.
	 * @param policy the message type's policy
	 * @param history what the message's headers say
	 * @param last the last failure as recorded in the headers
	 * @param now the current instant
	 * @return the decision to park or to wait on, or empty if the message is to be
	 * handled
	 */
	public Optional<Decision> admit(MessagePolicy policy, DeliveryHistory history, FailureClassification last,
			Instant now) {
		Instant earliest = earliest(policy, history, now);
		// also of its headers, which may have been forged, or written for a longer age
		if (history.retried() && exceedsAge(policy, history, earliest, now, Watcher.NONE)) {
			return Optional.of(new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, last.failureClass(), last.reason()));
		}
		return earliest.isAfter(now) ? Optional.of(new Decision.Postpone(earliest)) : Optional.empty();
	}

	private static Instant earliest(MessagePolicy policy, DeliveryHistory history, Instant now) {
		if (policy.brokerAttempts() == 0) {
			// there is nowhere to wait
			return now;
		}
		Instant earliest = mayWaitUntil(history.notBefore(), policy, history, now) ? history.notBefore() : now;
		BusinessHours hours = policy.hours();
		return (hours != null && history.retried()) ? hours.nextOpen(earliest) : earliest;
	}

	/**
	 * Without a failure there is no age that ends the wait: a foreign header could keep a
	 * message going round for days.
	 */
	private static boolean mayWaitUntil(@Nullable Instant notBefore, MessagePolicy policy, DeliveryHistory history,
			Instant now) {
		return notBefore != null && (history.retried() || !notBefore.isAfter(now.plus(policy.maxRetryAge())));
	}

	/**
	 * Decides whether the handler is called again for the same delivery, while local
	 * attempts are left.
	 * @param policy the message type's policy
	 * @param history what the message's headers say, with what was spent since
	 * @param failure what went wrong
	 * @return {@code false} if waiting, parking, discarding or giving back is what the
	 * failure needs
	 */
	public boolean handlesAgainAtOnce(MessagePolicy policy, DeliveryHistory history, FailureClassification failure) {
		return !spent(policy.budget(), history.usage(), Watcher.NONE) && failure.askedDelay().isEmpty()
				&& failure.instruction() == null && withoutRetry(policy, failure, Watcher.NONE) == null;
	}

	/** What class, reason or instruction say, whatever the budgets. */
	private static @Nullable Decision withoutRetry(MessagePolicy policy, FailureClassification failure,
			Watcher watcher) {
		String reason = failure.reason();
		FailureClass failureClass = failure.failureClass();
		Instruction instruction = failure.instruction();
		if (instruction != null) {
			Decision instructed = instructed(policy, failure, instruction);
			watcher.step("instruction", instructed != null,
					() -> "%s, which goes before discard-on, park-on and class".formatted(instruction));
			return instructed;
		}
		if (watcher.checked("discard-on", policy.discardOn().contains(reason), () -> in(reason, policy.discardOn()))) {
			return new Decision.Discard(reason, failureClass);
		}
		if (watcher.checked("park-on", policy.parkOn().contains(reason), () -> in(reason, policy.parkOn()))
				|| watcher.checked("failure class", !failureClass.retryable(), () -> "%s %s"
					.formatted(failureClass.label(), failureClass.retryable() ? "is retryable" : "is not retryable"))) {
			return new Decision.Park(reason, failureClass, reason);
		}
		return null;
	}

	private static @Nullable Decision instructed(MessagePolicy policy, FailureClassification failure,
			Instruction instruction) {
		if (instruction instanceof Instruction.Return) {
			return new Decision.Return(failure.reason());
		}
		if (instruction instanceof Instruction.Discard) {
			return new Decision.Discard(failure.reason(), failure.failureClass());
		}
		if (instruction instanceof Instruction.Reject reject && policy.rejection() != null) {
			return new Decision.Reject(failure.reason(), failure.failureClass(), reject.event());
		}
		if (instruction instanceof Instruction.Park || instruction instanceof Instruction.Reject) {
			return new Decision.Park(failure.reason(), failure.failureClass(), failure.reason());
		}
		return null;
	}

	private static boolean attemptsMade(MessagePolicy policy, DeliveryHistory history, Watcher watcher) {
		return watcher.checked("broker-attempts", history.attempt() >= policy.brokerAttempts(),
				() -> "%s of %s made".formatted(history.attempt(), policy.brokerAttempts()));
	}

	private static boolean exceedsAge(MessagePolicy policy, DeliveryHistory history, Instant attemptAt, Instant now,
			Watcher watcher) {
		Instant first = history.firstFailureAt();
		Duration age = Duration.between((first != null) ? first : now, attemptAt);
		return watcher.checked("max-retry-age", age.compareTo(policy.maxRetryAge()) > 0,
				() -> "%s of %s by the next attempt".formatted(DurationFormatterUtils.print(age, Style.COMPOSITE),
						DurationFormatterUtils.print(policy.maxRetryAge(), Style.COMPOSITE)));
	}

	/**
	 * The last wait of a composed delay may end after it, and the way back takes time as
	 * well. What keeps its order waits in place.
	 */
	static Duration waitingTime(MessagePolicy policy, Duration delay) {
		Duration altogether = (policy.ordering() == null) ? policy.topology().waitingTime(delay) : delay;
		return (altogether.compareTo(delay) > 0) ? altogether.plusMillis(1) : delay;
	}

	private static boolean exceedsCumulativeDelay(MessagePolicy policy, Duration sum, Watcher watcher) {
		Duration bound = policy.maxCumulativeDelay();
		return bound != null && watcher.checked("max-cumulative-delay", sum.compareTo(bound) > 0,
				() -> "%s of %s with this delay".formatted(DurationFormatterUtils.print(sum, Style.COMPOSITE),
						DurationFormatterUtils.print(bound, Style.COMPOSITE)));
	}

	private static String in(String reason, Set<String> reasons) {
		return "%s is %s %s".formatted(reason, reasons.contains(reason) ? "in" : "not in", new TreeSet<>(reasons));
	}

	/**
	 * Whether a budget that the handler spends itself is used up: no further attempt
	 * could do anything.
	 */
	private static boolean spent(Budget budget, Usage usage, Watcher watcher) {
		return spent("max-downstream-calls", usage.downstreamCalls(), budget.maxDownstreamCalls(), watcher)
				|| spent("max-cost", usage.cost(), budget.maxCost(), watcher);
	}

	private static boolean spent(String key, long spent, @Nullable Long most, Watcher watcher) {
		return most != null && watcher.checked(key, spent >= most, () -> "%s of %s spent".formatted(spent, most));
	}

	/**
	 * Receives every step of a decision.
	 */
	@FunctionalInterface
	public interface Watcher {

		/** Ignores all steps. */
		Watcher NONE = (check, ends, values) -> {
		};

		/**
		 * A step.
		 * @param check what was looked at, where it is configured by its key
		 * @param ends whether that ended the matter
		 * @param values the values that were compared; made up only when asked for
		 */
		void step(String check, boolean ends, Supplier<String> values);

		/**
		 * Tells a step.
		 * @param check what was looked at
		 * @param ends whether that ended the matter
		 * @param values the values that were compared
		 * @return {@code ends}
		 */
		default boolean checked(String check, boolean ends, Supplier<String> values) {
			step(check, ends, values);
			return ends;
		}

	}

}
