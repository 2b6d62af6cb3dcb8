/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.rabbitretry.policy.Backoff;
import io.github.rabbitretry.policy.Budget;
import io.github.rabbitretry.policy.EscalateAfter;
import io.github.rabbitretry.policy.InvalidPolicyException;
import io.github.rabbitretry.policy.PoisonSettings;
import io.github.rabbitretry.policy.RejectionTarget;
import io.github.rabbitretry.policy.RetryRatio;
import io.github.rabbitretry.topology.MessageTopology;
import io.github.rabbitretry.topology.Ring;
import io.github.rabbitretry.topology.Spending;
import org.jspecify.annotations.Nullable;

/**
 * The merged properties of one policy, each checked when it is read.
 */
final class PolicyValues {

	/** Beyond it, an attempt is a schedule in disguise, and its list takes memory. */
	private static final int MOST_ATTEMPTS = 1000;

	/** A held delivery is cut off by the broker's consumer timeout, 30 minutes. */
	private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

	private static final Duration LONGEST_DELAY = Duration.ofSeconds(864_000);

	private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

	private static final Duration LONGEST_WINDOW = Duration.ofDays(1);

	private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	private final String prefix;

	private final PolicyProperties properties;

	PolicyValues(String prefix, PolicyProperties properties) {
		this.prefix = prefix;
		this.properties = properties;
	}

	PolicyProperties properties() {
		return this.properties;
	}

	InvalidPolicyException invalid(String key, Object value, String relation, String remedy) {
		return new InvalidPolicyException(this.prefix + key, value, relation, remedy);
	}

	int localAttempts() {
		return number("local-attempts", this.properties.localAttempts(), 1, 100);
	}

	Duration localDelay() {
		Duration delay = set(this.properties.localDelay());
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
		return number("broker-attempts", this.properties.brokerAttempts(), 0, MOST_ATTEMPTS);
	}

	Duration maxRetryAge() {
		return positive("max-retry-age", set(this.properties.maxRetryAge()));
	}

	@Nullable Duration maxCumulativeDelay() {
		Duration max = this.properties.maxCumulativeDelay();
		return (max != null) ? positive("max-cumulative-delay", max) : null;
	}

	BackoffKind kind() {
		return set(this.properties.retryBackoff());
	}

	double jitter() {
		double jitter = set(this.properties.jitter());
		if (!(jitter >= 0 && jitter <= 1)) {
			throw invalid("jitter", jitter, "must be from 0 to 1", "Use 0.2 for a window of a fifth of the delay.");
		}
		return jitter;
	}

	Duration maxDelay() {
		return waited("max-delay", set(this.properties.maxDelay()));
	}

	Duration initialDelay() {
		Duration initial = waited("initial-delay", set(this.properties.initialDelay()));
		if (kind() != BackoffKind.FIXED && kind() != BackoffKind.CALENDAR && initial.compareTo(maxDelay()) > 0) {
			throw invalid("initial-delay", initial, "must be <= max-delay (%s)".formatted(maxDelay()),
					"Lower it, or raise max-delay.");
		}
		return initial;
	}

	int deliveryLimit() {
		return number("delivery-limit", this.properties.deliveryLimit(), 1, 1000);
	}

	Backoff backoff() {
		return switch (kind()) {
			case FIXED -> new Backoff.Fixed(initialDelay());
			case LINEAR -> new Backoff.Linear(initialDelay(), maxDelay());
			case EXPONENTIAL, EXPONENTIAL_JITTER -> new Backoff.Exponential(initialDelay(), multiplier(), maxDelay());
			case SCHEDULE -> new Backoff.Schedule(schedule());
			case CALENDAR -> new Backoff.Fixed(initialDelay());
		};
	}

	private double multiplier() {
		double multiplier = set(this.properties.multiplier());
		if (!(multiplier >= 1 && multiplier <= 1000)) {
			throw invalid("multiplier", multiplier, "must be from 1 to 1000", "Use 2 to double each delay.");
		}
		return multiplier;
	}

	private List<Duration> schedule() {
		List<String> schedule = set(this.properties.schedule());
		if (schedule.isEmpty()) {
			throw invalid("schedule", schedule, "must have at least one delay when retry-backoff is schedule",
					"List the delays, or name a preset: %s.".formatted(SchedulePresets.names()));
		}
		if (schedule.size() == 1 && SchedulePresets.find(schedule.get(0)).isPresent()) {
			return SchedulePresets.find(schedule.get(0)).get();
		}
		return schedule.stream().map(this::delay).toList();
	}

	private Duration delay(String text) {
		Duration delay = SchedulePresets.parse(text)
			.orElseThrow(() -> invalid("schedule", text, "must be a duration or, alone, a preset",
					"Write 10s, 5m, 2h or PT10S; the presets are %s.".formatted(SchedulePresets.names())));
		return waited("schedule", delay);
	}

	Budget budget() {
		return new Budget(localAttempts(), localDelay(), brokerAttempts(), maxRetryAge(), maxCumulativeDelay(),
				spent("max-downstream-calls", this.properties.maxDownstreamCalls()),
				spent("max-cost", this.properties.maxCost()));
	}

	private @Nullable Long spent(String key, @Nullable Long most) {
		if (most != null && (most < 1 || most > Spending.LARGEST)) {
			throw invalid(key, most, "must be from 1 to " + Spending.LARGEST, "Leave the key out for no bound.");
		}
		return most;
	}

	long maxHandlerCalls() {
		long most = set(this.properties.maxHandlerCalls());
		if (most < 1) {
			throw invalid("max-handler-calls", most, "must be 1 or more", "Use 100, the default.");
		}
		return most;
	}

	@Nullable RetryRatio retryRatio() {
		PolicyProperties.RetryRatioProperties ratio = set(this.properties.retryRatio());
		Duration window = positive("retry-ratio.window", set(ratio.window()));
		if (window.compareTo(LONGEST_WINDOW) > 0 || window.compareTo(SHORTEST_WINDOW) < 0) {
			throw invalid("retry-ratio.window", window,
					"must be from %s to %s".formatted(SHORTEST_WINDOW, LONGEST_WINDOW), "Use 1m, the default.");
		}
		int atLeast = number("retry-ratio.at-least", ratio.atLeast(), 1, 1_000_000);
		Double max = ratio.max();
		return (max == null) ? null : new RetryRatio(
				part("retry-ratio.max", max, "Use 0.1 for one retry in ten first deliveries."), window, atLeast);
	}

	PoisonSettings poison() {
		PolicyProperties.PoisonProperties poison = set(this.properties.poison());
		Duration window = positive("poison.window", set(poison.window()));
		if (window.compareTo(LONGEST_WINDOW) > 0 || window.compareTo(SHORTEST_WINDOW) < 0) {
			throw invalid("poison.window", window, "must be from %s to %s".formatted(SHORTEST_WINDOW, LONGEST_WINDOW),
					"Use 5m, the default.");
		}
		return new PoisonSettings(quarantineAfter(poison.quarantineAfter()),
				part("poison.dominance", set(poison.dominance()), "Use 0.8, the default."),
				number("poison.min-failures", poison.minFailures(), 2, 1_000_000), window);
	}

	/** The broker delivers a message whose count has reached its limit once more. */
	private int quarantineAfter(@Nullable Integer value) {
		if (value == null) {
			return Math.min(2, deliveryLimit());
		}
		int after = number("poison.quarantine-after", value, 0, 1000);
		if (after > deliveryLimit()) {
			throw invalid("poison.quarantine-after", after,
					"must be <= delivery-limit (%d), or the broker gives a message up before it is quarantined"
						.formatted(deliveryLimit()),
					"Lower it, or raise delivery-limit.");
		}
		return after;
	}

	private double part(String key, double value, String remedy) {
		if (!(value >= 0.001 && value <= 1)) {
			throw invalid(key, value, "must be from 0.001 to 1", remedy);
		}
		return value;
	}

	@Nullable EscalateAfter escalateAfter() {
		String text = this.properties.escalateAfter();
		if (text == null || text.isBlank()) {
			return null;
		}
		if (text.strip().matches("\\d{1,9}")) {
			int attempt = Integer.parseInt(text.strip());
			if (attempt < 1 || attempt > brokerAttempts()) {
				throw invalid("escalate-after", text,
						"must be from 1 to broker-attempts (%d), or nobody is ever told".formatted(brokerAttempts()),
						"Lower it, or raise broker-attempts; for a time write its unit, 30m.");
			}
			return new EscalateAfter(attempt, null);
		}
		Duration age = SchedulePresets.parse(text)
			.orElseThrow(() -> invalid("escalate-after", text, "must be an attempt or a duration",
					"Write 3 for the third broker attempt, or 30m for half an hour after the first failure."));
		positive("escalate-after", age);
		if (age.compareTo(maxRetryAge()) >= 0) {
			throw invalid("escalate-after", age,
					"must be < max-retry-age (%s), or nobody is ever told".formatted(maxRetryAge()),
					"Lower it, or raise max-retry-age.");
		}
		return new EscalateAfter(null, age);
	}

	/**
	 * The longest delay that can ever be asked for: a later attempt would be too old, or
	 * wait too long in all.
	 */
	@Nullable Duration longestDelay() {
		if (brokerAttempts() == 0) {
			return null;
		}
		return Stream.of(maxRetryAge(), maxCumulativeDelay(), LONGEST_DELAY)
			.filter(Objects::nonNull)
			.min(Comparator.naturalOrder())
			.orElse(LONGEST_DELAY);
	}

	Ring ring() {
		return set(this.properties.ring());
	}

	@Nullable RejectionTarget rejection(String queue) {
		PolicyProperties.RejectionProperties rejection = set(this.properties.rejection());
		String exchange = rejection.exchange();
		if (exchange == null) {
			if (rejection.routingKey() != null) {
				throw invalid("rejection.routing-key", rejection.routingKey(), "needs an exchange to publish to",
						"Set rejection.exchange too, or remove the routing key.");
			}
			return null;
		}
		if (exchange.getBytes(StandardCharsets.UTF_8).length > MessageTopology.LONGEST_NAME
				|| exchange.startsWith("amq.")) {
			throw invalid("rejection.exchange", exchange,
					"must be at most %d bytes and not start with 'amq.'".formatted(MessageTopology.LONGEST_NAME),
					"Give it another name; it is declared as a topic exchange.");
		}
		String key = (rejection.routingKey() != null) ? rejection.routingKey() : queue + ".rejected";
		if (key.getBytes(StandardCharsets.UTF_8).length > 255) {
			throw invalid("rejection.routing-key", key, "must be at most 255 bytes", "Set a shorter one.");
		}
		return new RejectionTarget(text("rejection.exchange", exchange), key, set(rejection.mandatory()));
	}

	Set<String> discardOn() {
		Set<String> discardOn = reasons("discard-on", this.properties.discardOn());
		Set<String> parkOn = PolicyAssembler.orEmpty(this.properties.parkOn());
		for (String reason : discardOn) {
			if (parkOn.contains(reason)) {
				throw invalid("discard-on", reason, "must not be in park-on too", "Decide for one of the two.");
			}
		}
		return discardOn;
	}

	Set<String> reasons(String key, @Nullable Set<String> reasons) {
		for (String reason : PolicyAssembler.orEmpty(reasons)) {
			if (!REASON.matcher(reason).matches()) {
				throw invalid(key, reason, "must be upper case letters, digits and underscores, at most 64",
						"Write it as the rules and the metrics do, DOWNSTREAM_TIMEOUT.");
			}
		}
		return PolicyAssembler.orEmpty(reasons);
	}

	String text(String key, @Nullable String value) {
		String text = set(value);
		if (text.isBlank()) {
			throw invalid(key, text, "must not be blank", "Leave the key out for its default.");
		}
		return text;
	}

	private int number(String key, @Nullable Integer value, int least, int most) {
		int number = set(value);
		if (number < least || number > most) {
			throw invalid(key, number, "must be from %d to %d".formatted(least, most),
					(number < least) ? "Raise it." : "Lower it.");
		}
		return number;
	}

	/** A delay that a queue has to keep. */
	private Duration waited(String key, Duration value) {
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

	private Duration positive(String key, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw invalid(key, value, "must be positive", "Use at least 1ms.");
		}
		return value;
	}

	private static <T> T set(@Nullable T value) {
		return Objects.requireNonNull(value, "built-in defaults leave no gap");
	}

}
