/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

/**
 * What a rule demands, as {@code action} spells it.
 */
public enum RuleAction {

	/** To retry, whatever the failure class, within the budgets. */
	RETRY,

	/** To park at once. */
	PARK,

	/** To acknowledge without success. */
	DISCARD

}
