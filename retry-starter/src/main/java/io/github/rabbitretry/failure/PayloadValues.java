/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.failure;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import io.github.rabbitretry.handover.Received;
import org.jspecify.annotations.Nullable;

/**
 * The text of a body without the names of JSON fields and XML elements, which are not
 * data and would be taken for quoted where an exception's text says what is wrong.
 */
final class PayloadValues {

	private final String body;

	private final StringBuilder values;

	private int at;

	private PayloadValues(String body) {
		this.body = body;
		this.values = new StringBuilder(body.length());
	}

	static String of(Received received) {
		String body = new String(received.body(), charset(received.properties().getContentEncoding()));
		String stripped = body.stripLeading();
		if (stripped.startsWith("{") || stripped.startsWith("[")) {
			return new PayloadValues(body).json();
		}
		return stripped.startsWith("<") ? body.replaceAll("</?[^\\s<>/]++", " ") : body;
	}

	private static Charset charset(@Nullable String encoding) {
		try {
			return (encoding != null) ? Charset.forName(encoding) : StandardCharsets.UTF_8;
		}
		catch (IllegalArgumentException ex) {
			return StandardCharsets.UTF_8;
		}
	}

	/** Not parsed: bodies that are not quite JSON are what exceptions are about. */
	private String json() {
		while (this.at < this.body.length()) {
			char character = this.body.charAt(this.at++);
			if (character == '"') {
				string();
			}
			else {
				this.values.append(character);
			}
		}
		return this.values.toString();
	}

	private void string() {
		int begin = this.values.append(' ').length();
		while (this.at < this.body.length()) {
			char character = this.body.charAt(this.at++);
			if (character == '"') {
				break;
			}
			this.values.append((character == '\\') ? escaped() : character);
		}
		if (isName()) {
			this.values.setLength(begin);
		}
		this.values.append(' ');
	}

	private char escaped() {
		if (this.at >= this.body.length()) {
			return ' ';
		}
		char character = this.body.charAt(this.at++);
		if (character == 'u' && this.at + 4 <= this.body.length()) {
			try {
				char unicode = (char) Integer.parseInt(this.body, this.at, this.at + 4, 16);
				this.at += 4;
				return unicode;
			}
			catch (NumberFormatException ex) {
				return ' ';
			}
		}
		return "\"\\/".indexOf(character) >= 0 ? character : ' ';
	}

	private boolean isName() {
		int next = this.at;
		while (next < this.body.length() && Character.isWhitespace(this.body.charAt(next))) {
			next++;
		}
		return next < this.body.length() && this.body.charAt(next) == ':';
	}

}
