/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.nio.charset.Charset;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.message.ReceivedMessage;

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

	static String of(ReceivedMessage received) {
		Set<String> texts = new LinkedHashSet<>();
		for (Charset charset : BodyCharsets.of(received)) {
			texts.add(new String(received.body(), charset));
		}
		return texts.stream().map(PayloadValues::values).collect(Collectors.joining("\n"));
	}

	private static String values(String body) {
		String stripped = body.replace("\ufeff", "").stripLeading();
		if (stripped.startsWith("{") || stripped.startsWith("[")) {
			return EscapedText.decode(new PayloadValues(body).json());
		}
		return EscapedText.decode(stripped.startsWith("<") ? body.replaceAll("</?[^\\s<>/]++", " ") : body);
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
