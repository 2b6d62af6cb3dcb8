/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.policy.PoisonSettings;

/**
 * What tells poison of one policy, checked when it is read.
 */
final class PoisonValidator {

	private final PolicyValidator values;

	private final PolicyProperties.PoisonProperties poison;

	PoisonValidator(PolicyValidator values) {
		this.values = values;
		this.poison = values.properties().poison();
	}

	PoisonSettings settings() {
		return PoisonSettings.quarantineAfter(quarantineAfter());
	}

	/** The broker delivers a message whose count has reached its limit once more. */
	private int quarantineAfter() {
		Integer value = this.poison.quarantineAfter();
		if (value == null) {
			return Math.min(2, this.values.deliveryLimit());
		}
		int after = this.values.number("poison.quarantine-after", value, 0, 1000);
		if (after > this.values.deliveryLimit()) {
			throw this.values.invalid("poison.quarantine-after", after,
					"must be <= delivery-limit (%d), or the broker gives a message up before it is quarantined"
						.formatted(this.values.deliveryLimit()),
					"Lower it, or raise delivery-limit.");
		}
		return after;
	}

}
