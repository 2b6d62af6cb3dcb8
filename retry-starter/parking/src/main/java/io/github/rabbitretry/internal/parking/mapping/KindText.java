/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

/**
 * What a search for part of a text looks through: texts that many messages have in
 * common, one on each line. Case is ignored as {@link String#equalsIgnoreCase(String)}
 * does, here and not in the database, where it depends on a collation.
 */
public final class KindText {

	private KindText() {
	}

	/**
	 * The texts of a failure kind.
	 * @param kind the kind
	 * @return the texts, folded
	 */
	public static String of(FailureDimension kind) {
		return of(kind.cause(), kind.queue(), kind.messageType(), kind.reason(), kind.failureReason(),
				kind.exception());
	}

	/**
	 * Whether a message's texts have a part.
	 * @param message the message
	 * @param part the part, as it was typed
	 * @return {@code true} if one of them has
	 */
	public static boolean contains(ParkedSummary message, String part) {
		return of(message.cause(), message.queue(), message.messageType(), message.reason(), message.failureReason(),
				message.exception())
			.contains(folded(part));
	}

	private static String of(FailureCause cause, @Nullable String... texts) {
		return folded(Stream.concat(Stream.of(texts), Stream.of(cause.exception(), cause.text()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining("\n")));
	}

	/**
	 * A text without the difference between upper and lower case.
	 * @param text the text
	 * @return as many characters
	 */
	public static String folded(String text) {
		return text.codePoints()
			.map((character) -> Character.toLowerCase(Character.toUpperCase(character)))
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

}
