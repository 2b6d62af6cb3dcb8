/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * What logs, headers and the ledger show of an exception.
 */
public enum ExceptionTexts {

	/** Its message and stack trace too, whatever they quote. */
	FULL,

	/** Its class and fingerprint only. */
	NONE

}
