/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

/**
 * What to do about broker policies that would lose messages.
 */
public enum BrokerPolicyMode {

	/**
	 * Fail startup. A policy that is set later is logged as an error and reported as
	 * health.
	 */
	FAIL,

	/** Log a warning and show it in the metric. */
	WARN,

	/** Don't look. */
	IGNORE

}
