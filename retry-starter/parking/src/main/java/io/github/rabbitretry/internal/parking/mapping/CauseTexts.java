/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Makes one text of messages of exceptions that differ in a number, an id or a quoted
 * text only. An exception whose texts differ all the same gets no more than a bounded
 * number of them: each is a row in the database.
 */
final class CauseTexts {

	/** Stands for whatever text an exception has. */
	static final String ANY = "#";

	/** The most texts of an exception in a queue. */
	static final int MOST_TEXTS = 100;

	private static final int MOST_EXCEPTIONS = 1000;

	private static final String NULL_POINTER = NullPointerException.class.getName();

	private static final int LONGEST = 200;

	/** Longer ones are cut before they are looked at. */
	private static final int LONGEST_READ = 2048;

	/** An apostrophe within a word is none. */
	private static final Pattern QUOTED = Pattern.compile("\"[^\"]*+\"|(?<![\\p{L}\\p{N}])'[^']*+'(?!\\p{L})");

	private static final Pattern BLANKS = Pattern.compile("\\s+");

	/** As logs begin with an exception. */
	private static final Pattern LOGGED = Pattern.compile("(?s)\\s*+(?:Caused by: )?([\\p{L}\\p{N}_.$]++): (.+)");

	/** Would be found in nearly every text. */
	private static final Pattern NOTHING_COMMON = Pattern.compile("[^\\p{L}]*");

	private final Map<String, Set<String>> known = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
			return size() > MOST_EXCEPTIONS;
		}

	};

	/**
	 * The text of a cause.
	 * @param queue the work queue
	 * @param exception the class of the exception
	 * @param message its message
	 * @return what equal causes have in common, or {@code null} if there is no message
	 */
	@Nullable String of(String queue, @Nullable String exception, @Nullable String message) {
		if (message == null || message.isBlank()) {
			return null;
		}
		String text = common(message, NULL_POINTER.equals(exception));
		synchronized (this.known) {
			Set<String> texts = this.known.computeIfAbsent(queue + "\n" + exception, (key) -> new HashSet<>());
			return (texts.contains(text) || (texts.size() < MOST_TEXTS && texts.add(text))) ? text : ANY;
		}
	}

	/**
	 * The texts of causes that a text is about which people may have copied from a log.
	 * @param asked the text
	 * @return how it may be spelled, itself first
	 */
	static Set<String> spellings(String asked) {
		Set<String> spellings = new LinkedHashSet<>(Set.of(asked));
		Matcher logged = LOGGED.matcher(asked);
		boolean named = logged.matches();
		for (boolean quotesCode : new boolean[] { false, true }) {
			spellings.add(common(asked, quotesCode));
			if (named) {
				spellings.add(logged.group(1) + "\n" + common(logged.group(2), quotesCode));
			}
		}
		spellings.removeIf((text) -> !text.equals(asked) && NOTHING_COMMON.matcher(text).matches());
		return spellings;
	}

	/** What Java quotes of a null pointer is code, and says which one it was. */
	static String common(String message, boolean quotesCode) {
		String read = (message.length() > LONGEST_READ) ? message.substring(0, LONGEST_READ) : message;
		StringBuilder text = new StringBuilder();
		for (String word : BLANKS.split((quotesCode ? read : QUOTED.matcher(read).replaceAll(ANY)).strip())) {
			text.append(text.isEmpty() ? "" : " ").append(word(word));
		}
		return String.valueOf(HeaderValues.fit(text.toString(), LONGEST));
	}

	/** Numbers, ids and addresses differ; the punctuation around them does not. */
	private static String word(String word) {
		if (word.codePoints().noneMatch((character) -> Character.isDigit(character) || character == '@')) {
			return word;
		}
		int from = 0;
		int to = word.length();
		while (from < to && !partOfWord(word.charAt(from))) {
			from++;
		}
		while (to > from && !partOfWord(word.charAt(to - 1))) {
			to--;
		}
		return word.substring(0, from) + ANY + word.substring(to);
	}

	private static boolean partOfWord(char character) {
		return Character.isLetterOrDigit(character) || character == '@';
	}

}
