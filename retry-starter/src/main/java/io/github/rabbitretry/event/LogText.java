/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import io.github.rabbitretry.topology.HeaderText;

/**
 * A producer's text made fit for one line of a log.
 */
public final class LogText {

	private static final int LONGEST = 128;

	private LogText() {
	}

	/**
	 * In quotes, short, and without line breaks or other controls, with which a producer
	 * could write lines of its own.
	 * @param text anybody's text
	 * @return the text as it may be logged
	 */
	public static String of(String text) {
		return "'" + HeaderText.bounded(text, LONGEST).replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?") + "'";
	}

}
