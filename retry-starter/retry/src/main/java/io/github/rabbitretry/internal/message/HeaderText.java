/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.nio.charset.StandardCharsets;

import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

/**
 * Text made fit for a header.
 */
public final class HeaderText {

	private static final String CUT = "...";

	private HeaderText() {
	}

	/**
	 * A header's text.
	 * @param value the header's value
	 * @return its text, or {@code null} if it is not text
	 */
	public static @Nullable String of(@Nullable Object value) {
		return (value instanceof String || value instanceof LongString) ? value.toString() : null;
	}

	/**
	 * Cuts a text to a number of bytes without breaking a character.
	 * @param text the text
	 * @param bytes the most bytes of UTF-8, at least 3
	 * @return the text, its end replaced by three dots if it was too long
	 */
	public static String bounded(String text, int bytes) {
		if (text.length() * 3L <= bytes || text.getBytes(StandardCharsets.UTF_8).length <= bytes) {
			return text;
		}
		int room = bytes - CUT.length();
		int used = 0;
		int end = 0;
		while (end < text.length()) {
			int codePoint = text.codePointAt(end);
			int size = (codePoint < 0x80) ? 1 : (codePoint < 0x800) ? 2 : (codePoint < 0x10000) ? 3 : 4;
			if (used + size > room) {
				break;
			}
			used += size;
			end += Character.charCount(codePoint);
		}
		return text.substring(0, end) + CUT;
	}

}
