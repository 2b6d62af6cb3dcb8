/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

/**
 * The ways to space broker attempts, as {@code retry-backoff} spells them.
 */
enum BackoffKind {

	FIXED, LINEAR, EXPONENTIAL, EXPONENTIAL_JITTER, SCHEDULE, CALENDAR

}
