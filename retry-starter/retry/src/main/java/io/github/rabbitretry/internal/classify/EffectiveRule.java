/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * A rule as it applies.
 *
 * @param index its place in the configuration, from 0
 * @param conditions what has to hold, {@code exception java.io.IOException, http-status
 * [500-599]}
 * @param classification what the failure then is
 * @param mode whether it decides
 * @param hits the deliveries since the start that it decided or, as a shadow, would have
 */
public record EffectiveRule(int index, String conditions, FailureClassification classification, RuleMode mode,
		long hits) {
}
