/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import org.jspecify.annotations.Nullable;

/**
 * The deduplication of one policy, checked when it is read.
 */
final class DeduplicationValidator {

	private static final Duration DEFAULT_RETENTION = Duration.ofDays(1);

	private static final Duration LONGEST_RETENTION = Duration.ofDays(366);

	private static final int MOST_MESSAGES = 10_000_000;

	private final PolicyValidator values;

	private final PolicyProperties.DeduplicationProperties deduplication;

	DeduplicationValidator(PolicyValidator values) {
		this.values = values;
		this.deduplication = values.properties().deduplication();
	}

	@Nullable Deduplication deduplication() {
		int maxMessages = this.values.number("deduplication.max-messages", this.deduplication.maxMessages(), 1,
				MOST_MESSAGES);
		Duration retention = retention();
		return (this.deduplication.store() == DeduplicationStore.NONE) ? null
				: new Deduplication(this.deduplication.store(), retention, maxMessages);
	}

	/** A copy comes back as long as attempts are made. */
	private Duration retention() {
		Duration age = this.values.maxRetryAge();
		Duration retention = this.deduplication.retention();
		if (retention == null) {
			return (age.compareTo(DEFAULT_RETENTION) > 0) ? age : DEFAULT_RETENTION;
		}
		this.values.positive("deduplication.retention", retention);
		if (retention.compareTo(LONGEST_RETENTION) > 0) {
			throw this.values.invalid("deduplication.retention", retention, "must be at most " + LONGEST_RETENTION,
					"Lower it; a message is hardly ever delivered again that late.");
		}
		if (this.values.brokerAttempts() > 0 && retention.compareTo(age) < 0) {
			throw this.values.invalid("deduplication.retention", retention,
					"must be >= max-retry-age (%s), for which copies of a message may come back".formatted(age),
					"Raise it, lower max-retry-age, or leave it out.");
		}
		return retention;
	}

}
