/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.EscalateAfter;
import org.jspecify.annotations.Nullable;

/**
 * When it is reported to the owner of a policy that a message keeps failing, checked when
 * it is read.
 */
final class EscalationValidator {

	private final PolicyValidator values;

	EscalationValidator(PolicyValidator values) {
		this.values = values;
	}

	@Nullable EscalateAfter after() {
		String text = this.values.properties().escalateAfter();
		if (text == null || text.isBlank()) {
			return null;
		}
		if (text.strip().matches("\\d{1,9}")) {
			int attempt = Integer.parseInt(text.strip());
			if (attempt < 1 || attempt > this.values.brokerAttempts()) {
				throw this.values.invalid("escalate-after", text,
						"must be from 1 to broker-attempts (%d), or it never takes effect"
							.formatted(this.values.brokerAttempts()),
						"Lower it, or raise broker-attempts; for a time write its unit, 30m.");
			}
			return new EscalateAfter(attempt, null);
		}
		Duration age = SchedulePresets.parse(text)
			.orElseThrow(() -> this.values.invalid("escalate-after", text, "must be an attempt or a duration",
					"Write 3 for the third broker attempt, or 30m for half an hour after the first failure."));
		this.values.positive("escalate-after", age);
		if (age.compareTo(this.values.maxRetryAge()) >= 0) {
			throw this.values.invalid("escalate-after", age,
					"must be < max-retry-age (%s), or it never takes effect".formatted(this.values.maxRetryAge()),
					"Lower it, or raise max-retry-age.");
		}
		return new EscalateAfter(null, age);
	}

}
