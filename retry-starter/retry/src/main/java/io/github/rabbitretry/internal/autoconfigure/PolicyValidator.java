/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.WhenParked;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.WorkQueue;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The merged properties of one policy, each checked when it is read.
 */
final class PolicyValidator {

	/** Beyond it, an attempt is a schedule in disguise, and its list takes memory. */
	private static final int MOST_ATTEMPTS = 1000;

	/** A held delivery is cut off by the broker's consumer timeout, 30 minutes. */
	private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

	/** Calls are looked at ten times within it. */
	private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);

	private static final Duration LONGEST_DELAY = Duration.ofSeconds(864_000);

	private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

	private static final Duration LONGEST_WINDOW = Duration.ofDays(1);

	private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	private final String prefix;

	private final PolicyProperties properties;

	PolicyValidator(String prefix, PolicyProperties properties) {
		this.prefix = prefix;
		this.properties = properties;
	}

	PolicyProperties properties() {
		return this.properties;
	}

	InvalidConfigurationException invalid(String key, Object value, String relation, String remedy) {
		return new InvalidConfigurationException(this.prefix + key, value, relation, remedy);
	}

	int localAttempts() {
		return number("local-attempts", this.properties.localAttempts(), 1, 100);
	}

	Duration localDelay() {
		Duration delay = this.properties.localDelay();
		if (delay.isNegative()) {
			throw invalid("local-delay", delay, "must not be negative", "Use 0ms to try again at once.");
		}
		int waits = localAttempts() - 1;
		if (waits > 0 && delay.compareTo(LONGEST_HOLD.dividedBy(waits)) > 0) {
			throw invalid("local-delay", delay,
					"times the local attempts after the first (%d) holds a delivery for more than %s".formatted(waits,
							LONGEST_HOLD),
					"Leave long waits to broker-attempts; the broker takes a delivery back that is held too long.");
		}
		return delay;
	}

	int brokerAttempts() {
		Integer attempts = this.properties.brokerAttempts();
		return number("broker-attempts", (attempts != null) ? attempts : scheduled().orElse(5), 0, MOST_ATTEMPTS);
	}

	/** A preset is used up. */
	private Optional<Integer> scheduled() {
		return (this.properties.retryBackoff() == BackoffKind.SCHEDULE)
				? SchedulePresets.attempts(this.properties.schedule()) : Optional.empty();
	}

	Duration maxRetryAge() {
		return positive("max-retry-age", this.properties.maxRetryAge());
	}

	@Nullable Duration maxCumulativeDelay() {
		Duration max = this.properties.maxCumulativeDelay();
		return (max != null) ? positive("max-cumulative-delay", max) : null;
	}

	/**
	 * Each close of a channel counts for all messages that it holds. Where those of
	 * different keys are held, that can be often before one is handled.
	 */
	int deliveryLimit() {
		Integer limit = this.properties.deliveryLimit();
		if (limit == null) {
			return switch (this.properties.ordering()) {
				case NONE -> 5;
				case QUEUE -> (this.properties.whenParked() == WhenParked.BLOCK) ? 1000 : 5;
				case KEY -> 100;
			};
		}
		return number("delivery-limit", limit, 1, 1000);
	}

	/**
	 * How much a message may cost.
	 * @param consumerTimeout how long the broker lets a consumer hold a delivery
	 */
	Budget budget(Duration consumerTimeout) {
		return new Budget(localAttempts(), localDelay(), brokerAttempts(), maxRetryAge(), maxCumulativeDelay(),
				spent("max-downstream-calls", this.properties.maxDownstreamCalls()),
				spent("max-cost", this.properties.maxCost()), handlerTime(consumerTimeout));
	}

	private @Nullable HandlerTime handlerTime(Duration consumerTimeout) {
		Duration timeout = this.properties.handlerTimeout();
		if (timeout == null) {
			return null;
		}
		if (timeout.compareTo(SHORTEST_TIMEOUT) < 0) {
			throw invalid("handler-timeout", timeout, "must be >= " + SHORTEST_TIMEOUT,
					"Raise it, or leave the key out for no bound.");
		}
		int calls = localAttempts();
		// compared like this, no sum can overflow
		if (timeout.compareTo(consumerTimeout.dividedBy(calls).minus(localDelay())) >= 0) {
			throw invalid("handler-timeout", timeout,
					"plus local-delay (%s), times local-attempts (%d), must be < the broker's consumer timeout (%s)"
						.formatted(localDelay(), calls, consumerTimeout),
					"Lower it, or make fewer local attempts; the broker takes a delivery back that is held too long. If its consumer timeout is longer, say so by rabbit-retry.broker.consumer-timeout.");
		}
		return new HandlerTime(timeout, consumerTimeout.dividedBy(10).multipliedBy(9));
	}

	private @Nullable Long spent(String key, @Nullable Long most) {
		if (most != null && (most < 1 || most > Usage.LARGEST)) {
			throw invalid(key, most, "must be from 1 to " + Usage.LARGEST, "Leave the key out for no bound.");
		}
		return most;
	}

	long maxHandlerCalls() {
		long most = this.properties.maxHandlerCalls();
		if (most < 1) {
			throw invalid("max-handler-calls", most, "must be 1 or more", "Use 100, the default.");
		}
		return most;
	}

	/** The time that something is counted over. */
	Duration window(String key, Duration window, String remedy) {
		positive(key, window);
		if (window.compareTo(LONGEST_WINDOW) > 0 || window.compareTo(SHORTEST_WINDOW) < 0) {
			throw invalid(key, window, "must be from %s to %s".formatted(SHORTEST_WINDOW, LONGEST_WINDOW), remedy);
		}
		return window;
	}

	double part(String key, double value, String remedy) {
		if (!(value >= 0.001 && value <= 1)) {
			throw invalid(key, value, "must be from 0.001 to 1", remedy);
		}
		return value;
	}

	WorkQueue workQueue() {
		return this.properties.workQueue();
	}

	RetryQueueScope ring() {
		return this.properties.ring();
	}

	Set<String> discardOn() {
		Set<String> discardOn = reasons("discard-on", this.properties.discardOn());
		Set<String> parkOn = this.properties.parkOn();
		for (String reason : discardOn) {
			if (parkOn.contains(reason)) {
				throw invalid("discard-on", reason, "must not be in park-on too", "Decide for one of the two.");
			}
		}
		return discardOn;
	}

	Set<String> reasons(String key, Set<String> reasons) {
		for (String reason : reasons) {
			if (!REASON.matcher(reason).matches()) {
				throw invalid(key, reason, "must be upper case letters, digits and underscores, at most 64",
						"Write it as the rules and the metrics do, DOWNSTREAM_TIMEOUT.");
			}
		}
		return reasons;
	}

	String text(String key, String text) {
		if (text.isBlank()) {
			throw invalid(key, text, "must not be blank", "Leave the key out for its default.");
		}
		return text;
	}

	int number(String key, int number, int least, int most) {
		if (number < least || number > most) {
			throw invalid(key, number, "must be from %d to %d".formatted(least, most),
					(number < least) ? "Raise it." : "Lower it.");
		}
		return number;
	}

	/** A delay that a queue has to keep. */
	Duration waited(String key, Duration value) {
		positive(key, value);
		if (value.compareTo(LONGEST_DELAY) > 0) {
			throw invalid(key, value, "must be at most " + LONGEST_DELAY,
					"For longer waits a scheduler is the better place.");
		}
		if (value.toNanosPart() % 1_000_000 != 0) {
			throw invalid(key, value, "must be whole milliseconds", "Round it; the broker counts in milliseconds.");
		}
		return value;
	}

	Duration positive(String key, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw invalid(key, value, "must be positive", "Use at least 1ms.");
		}
		return value;
	}

}
