/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.DelayPlan;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * How long one policy waits between attempts.
 */
final class DelayRules {

	/** Each is a queue of its own on every node. */
	private static final int MOST_RETRY_QUEUES = 100;

	private DelayRules() {
	}

	static void check(PolicyProperties policy) {
		Checks.delay("initial-delay", policy.initialDelay());
		Checks.delay("max-delay", policy.maxDelay());
		BackoffKind kind = policy.retryBackoff();
		boolean exponential = kind == BackoffKind.EXPONENTIAL || kind == BackoffKind.EXPONENTIAL_JITTER;
		if ((exponential || kind == BackoffKind.LINEAR) && policy.initialDelay().compareTo(policy.maxDelay()) > 0) {
			throw Checks.invalid("initial-delay", policy.initialDelay(),
					"must be <= max-delay (%s)".formatted(policy.maxDelay()), "Lower it, or raise max-delay.");
		}
		if (exponential) {
			Checks.between("multiplier", policy.multiplier(), 1, 1000, "Use 2 to double each delay.");
		}
		if (kind == BackoffKind.EXPONENTIAL_JITTER) {
			Checks.between("jitter", policy.jitter(), 0, 1, "Use 0.2 for a window of a fifth of the delay.");
		}
		DelayPlan delays = delays(policy);
		if (policy.ring() == RetryQueueScope.PER_TYPE && delays.levels().size() > MOST_RETRY_QUEUES) {
			throw Checks.invalid("broker-attempts", policy.attempts(),
					"needs %s retry queues, which must be at most %s".formatted(delays.levels().size(),
							MOST_RETRY_QUEUES),
					"Make fewer attempts, or let more of them wait equally long: lower max-delay, or use fixed, schedule or a shared ring.");
		}
		if (policy.attempts() > 0) {
			leavesRoom("max-retry-age", policy.maxRetryAge(), delays.longest(1));
			leavesRoom("max-cumulative-delay", policy.maxCumulativeDelay(), delays.longest(1));
		}
	}

	private static void leavesRoom(String key, @Nullable Duration bound, Duration first) {
		if (bound != null && bound.compareTo(first) < 0) {
			throw Checks.invalid(key, bound,
					"must be >= the first delay (%s), or no retry is ever made"
						.formatted(DurationFormatterUtils.print(first, DurationFormat.Style.COMPOSITE)),
					"Raise it, shorten the first delay, or set broker-attempts to 0.");
		}
	}

	static DelayPlan delays(PolicyProperties policy) {
		double jitter = (policy.retryBackoff() == BackoffKind.EXPONENTIAL_JITTER) ? policy.jitter() : 0;
		return DelayPlan.of(backoff(policy), policy.attempts(), jitter, policy.maxDelay());
	}

	private static Backoff backoff(PolicyProperties policy) {
		return switch (policy.retryBackoff()) {
			case FIXED, CALENDAR -> Backoff.fixed(policy.initialDelay());
			case LINEAR -> Backoff.linear(policy.initialDelay(), policy.maxDelay());
			case EXPONENTIAL, EXPONENTIAL_JITTER ->
				Backoff.exponential(policy.initialDelay(), policy.multiplier(), policy.maxDelay());
			case SCHEDULE -> Backoff.schedule(schedule(policy.schedule()));
		};
	}

	private static List<Duration> schedule(List<String> schedule) {
		if (schedule.isEmpty()) {
			throw Checks.invalid("schedule", schedule, "must have at least one delay when retry-backoff is schedule",
					"List the delays, or name a preset: %s.".formatted(SchedulePresets.names()));
		}
		if (schedule.size() == 1 && SchedulePresets.find(schedule.get(0)).isPresent()) {
			return SchedulePresets.find(schedule.get(0)).get();
		}
		return schedule.stream().map(DelayRules::delay).toList();
	}

	private static Duration delay(String text) {
		Duration delay = SchedulePresets.parse(text)
			.orElseThrow(() -> Checks.invalid("schedule", text, "must be a duration or, alone, a preset",
					"Write 10s, 5m, 2h or PT10S; the presets are %s.".formatted(SchedulePresets.names())));
		Checks.delay("schedule", delay);
		return delay;
	}

}
