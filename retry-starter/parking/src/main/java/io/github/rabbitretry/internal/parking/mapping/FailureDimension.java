/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

/**
 * What many parked messages have in common. An outage parks a million messages of a few
 * kinds: searching and grouping look at the kinds first.
 *
 * @param queue the work queue
 * @param messageType the message type
 * @param owner who answers for it
 * @param reason why it was parked
 * @param failureReason why it failed last, where that is another reason
 * @param failureClass the kind of failure, as headers spell it
 * @param fingerprint equal for failures that look alike
 * @param exception the exception's class and its causes'
 * @param handlerVersion which code handled it
 * @param consumer which application handled it
 * @param payload how much of the bodies the ledger holds
 * @param cause why the messages failed last
 */
public record FailureDimension(String queue, String messageType, String owner, String reason,
		@Nullable String failureReason, String failureClass, String fingerprint, @Nullable String exception,
		@Nullable String handlerVersion, @Nullable String consumer, PayloadState payload, FailureCause cause) {

	/**
	 * What identifies the kind in the database, where all its texts together would be too
	 * long for an index.
	 * @return 32 bytes
	 */
	public byte[] key() {
		return Hashes.of(this.queue, this.messageType, this.owner, this.reason, this.failureReason, this.failureClass,
				this.fingerprint, this.exception, this.handlerVersion, this.consumer, this.payload.name(),
				this.cause.id());
	}

	/**
	 * What a search for part of a text looks through: texts that many messages have in
	 * common, one on each line.
	 * @return the texts, folded
	 */
	public String searchText() {
		return folded(Stream
			.of(this.queue, this.messageType, this.reason, this.failureReason, this.exception, this.cause.exception(),
					this.cause.text())
			.filter(Objects::nonNull)
			.collect(Collectors.joining("\n")));
	}

	/**
	 * What to look for in {@link #searchText()}, one of which has to be there.
	 * @param text what people ask for
	 * @param logged whether it may be a line of a log, with what causes leave out
	 * @return texts, folded
	 */
	public static List<String> searched(String text, boolean logged) {
		return (logged ? CauseTexts.spellings(text) : Set.of(text)).stream()
			.map(FailureDimension::folded)
			.distinct()
			.toList();
	}

	/**
	 * A text without the difference between upper and lower case, as
	 * {@link String#equalsIgnoreCase(String)} ignores it: here and not in the database,
	 * where it depends on a collation.
	 * @param text the text
	 * @return as many characters
	 */
	static String folded(String text) {
		return text.codePoints()
			.map((character) -> Character.toLowerCase(Character.toUpperCase(character)))
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

}
