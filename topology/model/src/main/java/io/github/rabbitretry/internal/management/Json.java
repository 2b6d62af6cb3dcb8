/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON of the management API, since an application need not have a library for
 * it. Objects are read as maps, arrays as lists, whole numbers as longs.
 */
public final class Json {

	private static final int DEEPEST = 32;

	private final String text;

	private int position;

	private Json(String text) {
		this.text = text;
	}

	/**
	 * Reads a value.
	 * @param text the text of one value
	 * @return the value
	 * @throws IllegalArgumentException if the text is no JSON
	 */
	public static @Nullable Object read(String text) {
		Json json = new Json(text);
		Object value = json.value(0);
		json.expect(json.peek() == 0, "the end");
		return value;
	}

	private @Nullable Object value(int depth) {
		expect(depth < DEEPEST, "less nesting");
		char next = peek();
		switch (next) {
			case '{' -> {
				return object(depth);
			}
			case '[' -> {
				return array(depth);
			}
			case '"' -> {
				return string();
			}
			default -> {
				return literal();
			}
		}
	}

	/**
	 * RabbitMQ (4.0 to 4.3) gives members of a queue that is down twice: first what it
	 * found, and then what it would be.
	 */
	private Map<String, @Nullable Object> object(int depth) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		this.position++;
		while (peek() != '}') {
			if (!object.isEmpty()) {
				take(',');
				peek();
			}
			String key = string();
			take(':');
			Object value = value(depth + 1);
			if (!object.containsKey(key)) {
				object.put(key, value);
			}
		}
		this.position++;
		return object;
	}

	private List<@Nullable Object> array(int depth) {
		List<@Nullable Object> array = new ArrayList<>();
		this.position++;
		while (peek() != ']') {
			if (!array.isEmpty()) {
				take(',');
			}
			array.add(value(depth + 1));
		}
		this.position++;
		return array;
	}

	private String string() {
		take('"');
		StringBuilder string = new StringBuilder();
		for (char next = next(); next != '"'; next = next()) {
			string.append((next == '\\') ? escaped() : next);
		}
		return string.toString();
	}

	private char escaped() {
		char escape = next();
		return switch (escape) {
			case 'n' -> '\n';
			case 't' -> '\t';
			case 'r' -> '\r';
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'u' -> {
				expect(this.position + 4 <= this.text.length(), "four digits");
				this.position += 4;
				yield (char) Integer.parseInt(this.text.substring(this.position - 4, this.position), 16);
			}
			default -> escape;
		};
	}

	private @Nullable Object literal() {
		int begin = this.position;
		while (this.position < this.text.length() && ",]} \n\r\t".indexOf(this.text.charAt(this.position)) < 0) {
			this.position++;
		}
		String literal = this.text.substring(begin, this.position);
		return switch (literal) {
			case "null" -> null;
			case "true" -> true;
			case "false" -> false;
			default -> number(literal);
		};
	}

	/** Not by a conditional expression, which would make a double of every number. */
	private static Number number(String literal) {
		if (literal.matches("-?\\d{1,18}")) {
			return Long.valueOf(literal);
		}
		return Double.valueOf(literal);
	}

	private void take(char expected) {
		expect(peek() == expected, "'" + expected + "'");
		this.position++;
	}

	/** The next character that is no space, or 0 at the end. */
	private char peek() {
		while (this.position < this.text.length() && Character.isWhitespace(this.text.charAt(this.position))) {
			this.position++;
		}
		return (this.position < this.text.length()) ? this.text.charAt(this.position) : 0;
	}

	private char next() {
		expect(this.position < this.text.length(), "more");
		return this.text.charAt(this.position++);
	}

	private void expect(boolean satisfied, String what) {
		if (!satisfied) {
			throw new IllegalArgumentException("not JSON: %s expected at %d".formatted(what, this.position));
		}
	}

	/**
	 * Writes a value.
	 * @param value what {@link #read} gives
	 * @return its text, on one line
	 */
	public static String write(@Nullable Object value) {
		if (value instanceof Map<?, ?> object) {
			List<String> members = new ArrayList<>();
			object.forEach((key, member) -> members.add(write(String.valueOf(key)) + ":" + write(member)));
			return "{" + String.join(",", members) + "}";
		}
		if (value instanceof List<?> array) {
			return "[" + String.join(",", array.stream().map(Json::write).toList()) + "]";
		}
		if (value instanceof String string) {
			return quoted(string);
		}
		return String.valueOf(value);
	}

	private static String quoted(String string) {
		StringBuilder text = new StringBuilder("\"");
		for (char character : string.toCharArray()) {
			if (character == '"' || character == '\\') {
				text.append('\\').append(character);
			}
			else if (character < ' ') {
				text.append("\\u%04x".formatted((int) character));
			}
			else {
				text.append(character);
			}
		}
		return text.append('"').toString();
	}

}
