/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.github.rabbitretry.internal.topology.DelayLevel;
import org.jspecify.annotations.Nullable;

/**
 * What became of each attempt to handle a message, as the text of one header, for people:
 * the last ten, oldest first, as far as they fit. <pre>
 * 2026-07-01T12:00:00.250Z #1 DOWNSTREAM_TIMEOUT 10s order-worker; 2026-07-01T12:00:10.431Z #2 LOCK_CONFLICT parked order-worker
 * </pre> That is when the attempt failed, which one it was, why, the delay before the
 * next one or {@code parked}, and the application that made it. Written and checked on
 * the way of every failure, so without patterns or parsers.
 */
public final class AttemptHistory {

	/** What stands for the delay where none follows. */
	public static final String PARKED = "parked";

	/** The most attempts that are kept. */
	public static final int MOST_ATTEMPTS = 10;

	/** The most bytes of UTF-8 that they take. */
	public static final int MOST_BYTES = 1024;

	private static final int LONGEST_CONSUMER = 100;

	/** Before the consumer. */
	private static final int FIELDS = 4;

	private static final String SEPARATOR = "; ";

	private AttemptHistory() {
	}

	/**
	 * Adds an attempt.
	 * @param before the header as received, or {@code null}; what is unreadable is left
	 * behind
	 * @param failedAt when the attempt failed
	 * @param attempt which attempt, from 1
	 * @param reason why it failed
	 * @param delay the delay before the next one, or {@code null} if the message is
	 * parked
	 * @param consumer who made it, as of {@link #consumer}
	 * @return the header, within its bounds
	 */
	public static String with(@Nullable String before, Instant failedAt, int attempt, String reason,
			@Nullable Duration delay, String consumer) {
		String made = failedAt.truncatedTo(ChronoUnit.MILLIS) + " #" + attempt + ' ' + reason + ' '
				+ ((delay != null) ? label(delay) : PARKED) + ' ' + consumer;
		return (before == null || !readable(before)) ? made : last(before + SEPARATOR + made);
	}

	/** A delay is bounded where it is decided, and may be no level of a queue. */
	private static String label(Duration delay) {
		return delay.isZero() ? "0s" : DelayLevel.ofAtLeast(delay).label();
	}

	/**
	 * Reads the header for people.
	 * @param header the header's value, or {@code null}
	 * @return the attempts, one each, oldest first; empty if there is no readable header
	 */
	public static List<String> lines(@Nullable String header) {
		return (header != null && readable(header)) ? List.of(last(header).split(SEPARATOR)) : List.of();
	}

	/**
	 * Makes a name fit for the header.
	 * @param name an application's name
	 * @return the name without what ends an attempt, bounded
	 */
	public static String consumer(String name) {
		StringBuilder fit = new StringBuilder(HeaderText.bounded(name, LONGEST_CONSUMER).strip());
		for (int at = 0; at < fit.length(); at++) {
			if (fit.charAt(at) == ';' || unfit(fit.charAt(at))) {
				fit.setCharAt(at, '_');
			}
		}
		return fit.isEmpty() ? "-" : fit.toString();
	}

	/**
	 * Whether a text is such a header.
	 * @param text anybody's text
	 * @return {@code false} if an attempt in it has no such form
	 */
	static boolean readable(String text) {
		int begin = 0;
		while (true) {
			int end = text.indexOf(SEPARATOR, begin);
			if (!attempt(text, begin, (end < 0) ? text.length() : end)) {
				return false;
			}
			if (end < 0) {
				return true;
			}
			begin = end + SEPARATOR.length();
		}
	}

	private static boolean attempt(String text, int begin, int end) {
		int at = begin;
		for (int field = 0; field < FIELDS; field++) {
			int space = text.indexOf(' ', at);
			if (space < 0 || space >= end || !field(text, field, at, space)) {
				return false;
			}
			at = space + 1;
		}
		for (int next = at; next < end; next++) {
			if (unfit(text.charAt(next)) || text.charAt(next) == ';') {
				return false;
			}
		}
		return at < end;
	}

	private static boolean field(String text, int field, int begin, int end) {
		if (begin == end) {
			return false;
		}
		return switch (field) {
			case 0 -> text.charAt(end - 1) == 'Z' && only(text, begin, end - 1, "-:.T+");
			case 1 -> text.charAt(begin) == '#' && begin + 1 < end && only(text, begin + 1, end, "");
			case 2 -> reason(text, begin, end);
			default -> (end - begin == PARKED.length() && text.startsWith(PARKED, begin))
					|| (Character.isDigit(text.charAt(begin)) && only(text, begin, end, "mshd"));
		};
	}

	private static boolean only(String text, int begin, int end, String besidesDigits) {
		for (int at = begin; at < end; at++) {
			char one = text.charAt(at);
			if ((one < '0' || one > '9') && besidesDigits.indexOf(one) < 0) {
				return false;
			}
		}
		return true;
	}

	private static boolean reason(String text, int begin, int end) {
		for (int at = begin; at < end; at++) {
			char one = text.charAt(at);
			if ((one < 'A' || one > 'Z') && one != '_' && (one < '0' || one > '9')) {
				return false;
			}
		}
		return true;
	}

	/** Would make another line of it, or turn it around, where people look at it. */
	private static boolean unfit(char one) {
		if (one < 0x7f) {
			return one < ' ';
		}
		int type = Character.getType(one);
		return type == Character.CONTROL || type == Character.FORMAT || type == Character.LINE_SEPARATOR
				|| type == Character.PARAGRAPH_SEPARATOR;
	}

	/** The longest end that is within the bounds, whole attempts only. */
	private static String last(String text) {
		int begin = text.length();
		int attempts = 0;
		int bytes = 0;
		for (int at = text.length() - 1; at >= 0 && attempts < MOST_ATTEMPTS; at--) {
			bytes += bytes(text.charAt(at));
			if (bytes > MOST_BYTES) {
				break;
			}
			if (at == 0 || (at >= SEPARATOR.length() && text.startsWith(SEPARATOR, at - SEPARATOR.length()))) {
				attempts++;
				begin = at;
			}
		}
		return (begin < text.length()) ? text.substring(begin) : HeaderText.bounded(text, MOST_BYTES);
	}

	private static int bytes(char one) {
		if (one < 0x80) {
			return 1;
		}
		// half of the four that a pair takes
		return (one < 0x800 || Character.isSurrogate(one)) ? 2 : 3;
	}

}
