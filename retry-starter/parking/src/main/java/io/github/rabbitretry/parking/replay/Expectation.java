/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The number of messages that a filter is expected to match, as reported by a dry run. If
 * there are more, the action is refused, since unrelated messages may be among them.
 *
 * @param count the maximum number of messages, 0 or more
 * @param selection identifies the dry run's selection, or {@code null} if only a number
 * was given
 */
public record Expectation(long count, @Nullable String selection) {

	private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(?:-([0-9a-f]{16}))?");

	private static final int HASH = 8;

	/**
	 * Validates the number.
	 * @throws ReplayRefusedException if it is negative
	 */
	public Expectation {
		if (count < 0) {
			throw ReplayRefusedException.invalid("expect", "is " + count, "It must be 0 or more.");
		}
	}

	/**
	 * Expects a number of messages.
	 * @param count the maximum number of messages, 0 or more
	 * @return the expectation
	 */
	public static Expectation of(long count) {
		return new Expectation(count, null);
	}

	/**
	 * Parses a number, or a dry run's token.
	 * @param text the text
	 * @return the expectation; that of a token is valid for the same selection only
	 * @throws ReplayRefusedException if it is neither
	 */
	public static Expectation parse(String text) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw ReplayRefusedException.invalid("expect", "is neither a number nor a dry run's token",
					"Say how many messages match, or give the token.");
		}
		return new Expectation(Long.parseLong(matcher.group(1)), matcher.group(2));
	}

	/**
	 * The token of a dry run.
	 * @param count how many messages there are
	 * @param selection a description of the selection
	 * @return text without blanks
	 */
	public static String token(long count, String selection) {
		return count + "-" + hash(selection);
	}

	/**
	 * Checks that there are not more messages. To be called in the transaction of the
	 * action.
	 * @param actual the actual number
	 * @param selected a description of the selection
	 * @throws ReplayRefusedException if there are more, or the selection differs
	 */
	public void check(long actual, String selected) {
		if (this.selection != null && !this.selection.equals(hash(selected))) {
			throw ReplayRefusedException.conflict("The token is of a dry run of other messages",
					"Run the dry run again with this filter.");
		}
		if (actual > this.count) {
			throw ReplayRefusedException.conflict(
					"%s messages match now, %s were expected".formatted(actual, this.count),
					"Nothing was done. Run the dry run again, and see which ones came.");
		}
	}

	private static String hash(String selection) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(selection.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, HASH);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
