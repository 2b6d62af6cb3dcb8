/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a policy or permission, as RabbitMQ understands it: by PCRE,
 * which matches bytes, knows POSIX classes, and gives up where it would take too long.
 * Then nothing matches.
 */
public final class NameRegex {

	/** About as much as takes 10 ms. PCRE gives up after 10 million steps. */
	private static final int MOST_STEPS = 1_000_000;

	private static final Map<String, String> POSIX = Map.ofEntries(Map.entry("alpha", "Alpha"),
			Map.entry("digit", "Digit"), Map.entry("alnum", "Alnum"), Map.entry("upper", "Upper"),
			Map.entry("lower", "Lower"), Map.entry("punct", "Punct"), Map.entry("graph", "Graph"),
			Map.entry("print", "Print"), Map.entry("blank", "Blank"), Map.entry("cntrl", "Cntrl"),
			Map.entry("xdigit", "XDigit"), Map.entry("space", "Space"), Map.entry("ascii", "ASCII"));

	private static final Pattern POSIX_CLASS = Pattern.compile("\\[:(\\^?)([a-z]+):]");

	private final Pattern pattern;

	private NameRegex(Pattern pattern) {
		this.pattern = pattern;
	}

	/**
	 * Reads a regular expression.
	 * @param regex as the management API reports it
	 * @return what it matches
	 * @throws PatternSyntaxException if it is none, or one of PCRE's alone
	 */
	public static NameRegex of(String regex) {
		return new NameRegex(Pattern.compile(translated(bytes(regex)), Pattern.UNIX_LINES));
	}

	/**
	 * Whether a name has a part that it matches.
	 * @param name the name of a queue or an exchange
	 * @return {@code false} also if RabbitMQ would give up
	 */
	public boolean matches(String name) {
		try {
			return this.pattern.matcher(new Steps(bytes(name))).find();
		}
		catch (TooManyStepsException | StackOverflowError ex) {
			return false;
		}
	}

	/** One character for each byte. */
	private static String bytes(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
	}

	/**
	 * Java takes a bracket within brackets for a union, and {@code &&} for an
	 * intersection.
	 */
	private static String translated(String regex) {
		StringBuilder translated = new StringBuilder(regex.length());
		boolean quoted = false;
		int classBegan = -1;
		for (int index = 0; index < regex.length(); index++) {
			char next = regex.charAt(index);
			if (next == '\\' && index + 1 < regex.length()) {
				char escaped = regex.charAt(++index);
				quoted = (escaped == 'Q' || quoted) && escaped != 'E';
				translated.append(next).append(escaped);
			}
			else if (quoted) {
				translated.append(next);
			}
			else if (classBegan < 0) {
				translated.append(next);
				classBegan = (next == '[') ? translated.length() : -1;
			}
			else if (next == '[') {
				Matcher posix = POSIX_CLASS.matcher(regex).region(index, regex.length());
				if (posix.lookingAt()) {
					translated.append(posixClass(regex, posix));
					index = posix.end() - 1;
				}
				else {
					translated.append("\\[");
				}
			}
			else if (next == ']' && isFirst(translated, classBegan)) {
				translated.append("\\]");
			}
			else {
				translated.append((next == '&') ? "\\&" : String.valueOf(next));
				classBegan = (next == ']') ? -1 : classBegan;
			}
		}
		return translated.toString();
	}

	private static boolean isFirst(StringBuilder translated, int classBegan) {
		String within = translated.substring(classBegan);
		return within.isEmpty() || within.equals("^");
	}

	private static String posixClass(String regex, Matcher posix) {
		boolean not = !posix.group(1).isEmpty();
		if (posix.group(2).equals("word")) {
			return not ? "\\W" : "\\w";
		}
		String name = POSIX.get(posix.group(2));
		if (name == null) {
			throw new PatternSyntaxException("unknown POSIX class", regex, posix.start());
		}
		return (not ? "\\P{" : "\\p{") + name + "}";
	}

	@Override
	public String toString() {
		return this.pattern.pattern();
	}

	/** A text that may be looked at so often. */
	private static final class Steps implements CharSequence {

		private final String text;

		private int left = MOST_STEPS;

		Steps(String text) {
			this.text = text;
		}

		@Override
		public char charAt(int index) {
			if (--this.left < 0) {
				throw new TooManyStepsException();
			}
			return this.text.charAt(index);
		}

		@Override
		public int length() {
			return this.text.length();
		}

		@Override
		public CharSequence subSequence(int start, int end) {
			return this.text.subSequence(start, end);
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	private static final class TooManyStepsException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
