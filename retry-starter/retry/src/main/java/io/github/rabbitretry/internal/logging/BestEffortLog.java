/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.logging;

import org.apache.commons.logging.Log;

/**
 * Logs failures from loops and periodic tasks that must go on. Logging allocates, so with
 * a full heap it fails too, and what it throws would end the loop.
 */
public final class BestEffortLog {

	private BestEffortLog() {
	}

	/** Loads this class while there is memory for it. */
	public static void load() {
		// that it is called is enough
	}

	/**
	 * Logs an error, if that is possible.
	 * @param logger where
	 * @param text what failed
	 * @param failure the failure
	 */
	public static void error(Log logger, String text, Throwable failure) {
		try {
			logger.error(text, failure);
		}
		catch (Throwable ex) {
			// there is no memory to log it
		}
	}

}
