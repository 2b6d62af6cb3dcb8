/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.policy.Backoff;

/**
 * How long one policy waits between attempts, checked when it is read.
 */
final class BackoffValidator {

	private final PolicyValidator values;

	BackoffValidator(PolicyValidator values) {
		this.values = values;
	}

	BackoffKind kind() {
		return this.values.properties().retryBackoff();
	}

	double jitter() {
		double jitter = this.values.properties().jitter();
		if (!(jitter >= 0 && jitter <= 1)) {
			throw this.values.invalid("jitter", jitter, "must be from 0 to 1",
					"Use 0.2 for a window of a fifth of the delay.");
		}
		return jitter;
	}

	Duration maxDelay() {
		return this.values.waited("max-delay", this.values.properties().maxDelay());
	}

	Duration initialDelay() {
		Duration initial = this.values.waited("initial-delay", this.values.properties().initialDelay());
		if (kind() != BackoffKind.FIXED && kind() != BackoffKind.CALENDAR && initial.compareTo(maxDelay()) > 0) {
			throw this.values.invalid("initial-delay", initial, "must be <= max-delay (%s)".formatted(maxDelay()),
					"Lower it, or raise max-delay.");
		}
		return initial;
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
		double multiplier = this.values.properties().multiplier();
		if (!(multiplier >= 1 && multiplier <= 1000)) {
			throw this.values.invalid("multiplier", multiplier, "must be from 1 to 1000",
					"Use 2 to double each delay.");
		}
		return multiplier;
	}

	private List<Duration> schedule() {
		List<String> schedule = this.values.properties().schedule();
		if (schedule.isEmpty()) {
			throw this.values.invalid("schedule", schedule,
					"must have at least one delay when retry-backoff is schedule",
					"List the delays, or name a preset: %s.".formatted(SchedulePresets.names()));
		}
		if (schedule.size() == 1 && SchedulePresets.find(schedule.get(0)).isPresent()) {
			return SchedulePresets.find(schedule.get(0)).get();
		}
		return schedule.stream().map(this::delay).toList();
	}

	private Duration delay(String text) {
		Duration delay = SchedulePresets.parse(text)
			.orElseThrow(() -> this.values.invalid("schedule", text, "must be a duration or, alone, a preset",
					"Write 10s, 5m, 2h or PT10S; the presets are %s.".formatted(SchedulePresets.names())));
		return this.values.waited("schedule", delay);
	}

}
