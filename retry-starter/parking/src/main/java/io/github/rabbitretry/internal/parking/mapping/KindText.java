/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.ParkedSummary;

/**
 * What a search for part of a text looks through: texts that many messages have in
 * common, one on each line. Only the case of the letters A to Z is ignored, since what a
 * database makes of others depends on its collation.
 */
public final class KindText {

	/** The same of the failure kind {@code k}. */
	public static final String SQL = "translate(concat_ws('\n', k.queue, k.message_type, k.last_reason, k.failure_reason,"
			+ " k.exception, k.root_exception, k.root_message),"
			+ " 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')";

	private KindText() {
	}

	/**
	 * Whether a message's texts have a part.
	 * @param message the message
	 * @param part the part, as it was typed
	 * @return {@code true} if one of them has
	 */
	public static boolean contains(ParkedSummary message, String part) {
		String texts = Stream
			.of(message.queue(), message.messageType(), message.reason(), message.failureReason(), message.exception(),
					message.cause().exception(), message.cause().text())
			.filter(Objects::nonNull)
			.collect(Collectors.joining("\n"));
		return folded(texts).contains(folded(part));
	}

	/**
	 * A text with the letters A to Z in lower case.
	 * @param text the text
	 * @return the same text otherwise
	 */
	public static String folded(String text) {
		StringBuilder folded = new StringBuilder(text);
		for (int at = 0; at < folded.length(); at++) {
			char letter = folded.charAt(at);
			if (letter >= 'A' && letter <= 'Z') {
				folded.setCharAt(at, (char) (letter + ('a' - 'A')));
			}
		}
		return folded.toString();
	}

}
