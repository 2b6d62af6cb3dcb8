/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.logging;

import org.apache.commons.logging.Log;

/**
 * Logs failures where a loop has to go on, or a delivery has still to be settled: an
 * appender may throw, as one of Log4j does with {@code ignoreExceptions="false"} when its
 * disk is full.
 */
public final class BestEffortLog {

	private BestEffortLog() {
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
		catch (RuntimeException ex) {
			// its appender throws: there is nowhere to report that
		}
	}

}
