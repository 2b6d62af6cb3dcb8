/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the words of a text that also occur in a message's body or in a header that
 * its producer wrote. Numbers of three digits and words of four letters are the shortest
 * that are replaced.
 */
final class PayloadMask implements UnaryOperator<String> {

	private static final String MASK = "***";

	private static final int LONGEST = 4096;

	/** Shorter words have to be whole words of the body. */
	private static final int LONG_WORD = 6;

	/** Beyond so many compared characters the whole text is replaced. */
	private static final long MOST_COMPARED = 64_000_000;

	private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]++(?:[-_.@+][\\p{L}\\p{N}]++)*+");

	private static final Pattern PIECE = Pattern.compile("[\\p{L}\\p{N}]++");

	private static final Pattern COMPRESSED = Pattern.compile("(?i).*(zip|deflate|compress|br|zstd|lz4|snappy).*");

	private static final Pattern COMPRESSED_TYPE = Pattern
		.compile("(?i).*[/+](?:x-)?(?:g?zip|deflate|compress|zstd|lz4|snappy).*");

	private static final Set<String> LITERALS = Set.of("true", "false", "null");

	private final ReceivedMessage received;

	private @Nullable String values;

	private long compared;

	PayloadMask(ReceivedMessage received) {
		this.received = received;
	}

	@Override
	public String apply(String text) {
		if (text.isEmpty()) {
			return text;
		}
		if (this.received.body().length > 0 && isCompressed()) {
			// what is quoted is unknown
			return MASK;
		}
		this.compared = 0;
		String bounded = (text.length() > LONGEST) ? text.substring(0, LONGEST) : text;
		String masked = WORD.matcher(EscapedText.decode(bounded)).replaceAll((word) -> masked(word.group()));
		return (this.compared > MOST_COMPARED) ? MASK : masked;
	}

	private boolean isCompressed() {
		String encoding = this.received.properties().getContentEncoding();
		String type = this.received.properties().getContentType();
		byte[] body = this.received.body();
		return encoding != null && COMPRESSED.matcher(encoding).matches()
				|| type != null && COMPRESSED_TYPE.matcher(type).matches()
				|| body.length > 1 && body[0] == 0x1F && body[1] == (byte) 0x8B;
	}

	private String masked(String word) {
		return quoted(word) ? MASK : PIECE.matcher(word).replaceAll(this::maskedPiece);
	}

	private String maskedPiece(MatchResult piece) {
		return quoted(piece.group()) ? MASK : piece.group();
	}

	private boolean quoted(String word) {
		String wanted = word.toLowerCase(Locale.ROOT);
		int least = wanted.chars().anyMatch(Character::isDigit) ? 3 : 4;
		if (wanted.length() < least || LITERALS.contains(wanted) || this.compared > MOST_COMPARED) {
			return false;
		}
		String all = values();
		this.compared += all.length();
		int at = all.indexOf(wanted);
		while (at >= 0) {
			if (wanted.length() >= LONG_WORD || isWhole(all, at, at + wanted.length())) {
				return true;
			}
			at = all.indexOf(wanted, at + 1);
		}
		return false;
	}

	private static boolean isWhole(String all, int begin, int end) {
		return (begin == 0 || !Character.isLetterOrDigit(all.charAt(begin - 1)))
				&& (end == all.length() || !Character.isLetterOrDigit(all.charAt(end)));
	}

	private String values() {
		String known = this.values;
		if (known == null) {
			known = (PayloadValues.of(this.received) + HeaderTexts.of(this.received)).toLowerCase(Locale.ROOT);
			this.values = known;
		}
		return known;
	}

}
