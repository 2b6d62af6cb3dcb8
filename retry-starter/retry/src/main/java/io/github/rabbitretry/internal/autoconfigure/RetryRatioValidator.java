/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.RetryRatio;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of retries of one policy, checked when it is read.
 */
final class RetryRatioValidator {

	private final PolicyValidator values;

	private final PolicyProperties.RetryRatioProperties ratio;

	RetryRatioValidator(PolicyValidator values) {
		this.values = values;
		this.ratio = values.properties().retryRatio();
	}

	@Nullable RetryRatio ratio() {
		Duration window = this.values.window("retry-ratio.window", this.ratio.window(), "Use 1m, the default.");
		int atLeast = this.values.number("retry-ratio.at-least", this.ratio.atLeast(), 1, 1_000_000);
		Double max = this.ratio.max();
		return (max == null) ? null
				: new RetryRatio(
						this.values.part("retry-ratio.max", max, "Use 0.1 for one retry in ten first deliveries."),
						window, atLeast);
	}

}
