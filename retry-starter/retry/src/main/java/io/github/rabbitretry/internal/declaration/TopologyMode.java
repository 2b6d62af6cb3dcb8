/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

/**
 * What to do about the topology at startup.
 */
public enum TopologyMode {

	/** Declare what is missing, and refuse to start if something differs. */
	DECLARE,

	/**
	 * Declare nothing, and refuse to start if something is missing or, as far as
	 * permissions let it be seen, differs.
	 */
	VERIFY,

	/** Neither. */
	NONE

}
