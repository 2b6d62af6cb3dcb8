/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

/**
 * Whether a rule decides, as {@code mode} spells it.
 */
public enum RuleMode {

	/** The rule decides. */
	ACTIVE,

	/** The rule only counts what it would have decided. */
	SHADOW

}
