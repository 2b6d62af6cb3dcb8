/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

/**
 * Texts as a terminal may have them. Messages come from anywhere: what would move its
 * cursor, change its colours or turn its direction is shown and not done.
 */
final class SafeText {

	private SafeText() {
	}

	/**
	 * One line of text.
	 * @param text any text
	 * @return the same, unprintable characters as <code>&#92;u001b</code>
	 */
	static String line(String text) {
		return escaped(text, false);
	}

	/**
	 * Lines of text.
	 * @param text any text
	 * @return the same, unprintable characters but line feeds and tabs as
	 * <code>&#92;u001b</code>
	 */
	static String lines(String text) {
		return escaped(text.replace("\r\n", "\n"), true);
	}

	private static String escaped(String text, boolean lines) {
		if (text.codePoints().noneMatch(SafeText::unprintable)) {
			return text;
		}
		StringBuilder safe = new StringBuilder(text.length() + 16);
		text.codePoints().forEach((character) -> {
			if (!unprintable(character) || (lines && (character == '\n' || character == '\t'))) {
				safe.appendCodePoint(character);
			}
			else {
				safe.append((character > 0xffff) ? "\\u{%x}".formatted(character) : "\\u%04x".formatted(character));
			}
		});
		return safe.toString();
	}

	private static boolean unprintable(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED ->
				true;
			default -> false;
		};
	}

}
