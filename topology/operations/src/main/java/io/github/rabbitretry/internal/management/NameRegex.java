/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a policy or permission, as RabbitMQ understands it: by PCRE,
 * which matches bytes, and gives up where it would take too long. Then nothing matches.
 */
public final class NameRegex {

	/** About as much as takes 10 ms. PCRE gives up after 10 million steps. */
	private static final int MOST_STEPS = 1_000_000;

	/**
	 * Within brackets, Java takes others for a union and {@code &&} for an intersection,
	 * and PCRE knows POSIX classes and a bracket that comes first.
	 */
	private static final Pattern READ_DIFFERENTLY = Pattern.compile("\\[[^]]*(\\[|&&)|\\[\\^?]");

	private final Pattern pattern;

	private NameRegex(Pattern pattern) {
		this.pattern = pattern;
	}

	/**
	 * Reads a regular expression.
	 * @param regex as the management API reports it
	 * @return what it matches
	 * @throws PatternSyntaxException if it is no regular expression, or Java reads it
	 * differently
	 */
	public static NameRegex of(String regex) {
		if (READ_DIFFERENTLY.matcher(regex).find()) {
			throw new PatternSyntaxException("read differently by PCRE and Java", regex, -1);
		}
		return new NameRegex(Pattern.compile(bytes(regex), Pattern.UNIX_LINES));
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
