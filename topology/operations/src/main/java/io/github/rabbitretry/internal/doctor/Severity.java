/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

/**
 * How much a finding matters.
 */
public enum Severity {

	/** Messages are lost, doubled or stuck, or can be. */
	ERROR,

	/** Something will fail, or messages are stuck. */
	WARNING,

	/** Good to know. */
	INFO

}
