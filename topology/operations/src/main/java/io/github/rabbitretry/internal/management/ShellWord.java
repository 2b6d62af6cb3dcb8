/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

/**
 * Texts as arguments of commands that people paste into a shell.
 */
public final class ShellWord {

	private ShellWord() {
	}

	/**
	 * Quotes a text.
	 * @param text any text
	 * @return one word for a shell, with nothing in it that the shell reads
	 */
	public static String quoted(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

}
