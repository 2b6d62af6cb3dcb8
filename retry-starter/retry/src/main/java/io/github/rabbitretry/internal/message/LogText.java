/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.regex.Pattern;

/**
 * A producer's text made fit for one line of a log.
 */
public final class LogText {

	private static final int LONGEST = 128;

	/**
	 * Controls (C0 and C1, among them next line and the one that begins terminal
	 * sequences), invisible ones such as those that reverse the direction of text, line
	 * and paragraph separators, and halves of characters.
	 */
	private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

	private LogText() {
	}

	/**
	 * In quotes, short, and without line breaks or other controls, with which a producer
	 * could write lines of its own.
	 * @param text untrusted text
	 * @return the text as it may be logged
	 */
	public static String of(String text) {
		return "'" + unquoted(text, LONGEST) + "'";
	}

	/**
	 * Without line breaks or other controls, and without quotes around it.
	 * @param text untrusted text
	 * @param longest the most bytes
	 * @return the text as it may be logged
	 */
	public static String unquoted(String text, int longest) {
		return UNSAFE.matcher(HeaderText.bounded(text, longest)).replaceAll("?");
	}

}
