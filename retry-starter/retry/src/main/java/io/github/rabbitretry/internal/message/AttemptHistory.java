/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.topology.DelayLevel;
import org.jspecify.annotations.Nullable;

/**
 * What became of each attempt to handle a message, as the text of one header, for people:
 * the last ten, oldest first, as far as they fit. <pre>
 * 2026-07-01T12:00:00.250Z #1 DOWNSTREAM_TIMEOUT 10s order-worker; 2026-07-01T12:00:10.431Z #2 LOCK_CONFLICT parked order-worker
 * </pre> That is when the attempt failed, which one it was, why, the delay before the
 * next one or {@code parked}, and the application that made it.
 */
public final class AttemptHistory {

	/** What stands for the delay where none follows. */
	public static final String PARKED = "parked";

	/** The most attempts that are kept. */
	public static final int MOST_ATTEMPTS = 10;

	/** The most bytes of UTF-8 that they take. */
	public static final int MOST_BYTES = 1024;

	private static final int LONGEST_CONSUMER = 100;

	private static final String SEPARATOR = "; ";

	/** Would make another line of it, or turn it around, where people look at it. */
	private static final Pattern UNFIT = Pattern.compile("[;\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	private static final Pattern ATTEMPT = Pattern.compile("[-0-9:.T+]*+Z #[0-9]++ [A-Z0-9_]++ " + "(?:" + PARKED
			+ "|[0-9][0-9mshd]*+) [^;\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]++");

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
		String fit = UNFIT.matcher(HeaderText.bounded(name, LONGEST_CONSUMER).strip()).replaceAll("_");
		return fit.isEmpty() ? "-" : fit;
	}

	/**
	 * Whether a text is such a header.
	 * @param text untrusted text
	 * @return {@code false} if an attempt in it has no such form
	 */
	static boolean readable(String text) {
		for (String attempt : text.split(SEPARATOR, -1)) {
			if (!ATTEMPT.matcher(attempt).matches()) {
				return false;
			}
		}
		return true;
	}

	/** The longest end that is within the bounds, whole attempts only. */
	private static String last(String text) {
		List<String> attempts = List.of(text.split(SEPARATOR));
		int begin = attempts.size();
		int bytes = -SEPARATOR.length();
		while (begin > 0 && attempts.size() - begin < MOST_ATTEMPTS) {
			bytes += SEPARATOR.length() + attempts.get(begin - 1).getBytes(StandardCharsets.UTF_8).length;
			if (bytes > MOST_BYTES) {
				break;
			}
			begin--;
		}
		return (begin < attempts.size()) ? String.join(SEPARATOR, attempts.subList(begin, attempts.size()))
				: HeaderText.bounded(text, MOST_BYTES);
	}

}
