/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the messages that a search found.
 *
 * @param messages the messages, last parked first
 * @param next where the next page begins, or {@code null} if there is none
 */
public record ParkedPage(List<ParkedSummary> messages, @Nullable PageKey next) {

	public ParkedPage {
		messages = List.copyOf(messages);
	}

	/**
	 * The order of messages, by the time at which they were parked.
	 */
	public enum Order {

		/** The last one that was parked is first. */
		NEWEST_FIRST,

		/** The first one that was parked is first. */
		OLDEST_FIRST

	}

	/**
	 * Where a page of results ended. The next page starts with messages parked earlier,
	 * or later if the oldest come first. Messages parked in the meantime do not shift
	 * pages, so no message is returned twice and no existing message is skipped.
	 *
	 * @param parkedAt when the last message of the page was parked
	 * @param id its id in the ledger
	 */
	public record PageKey(Instant parkedAt, long id) {

		/**
		 * Parses the result of {@link #toString()}.
		 * @param text the text
		 * @return the key
		 * @throws IllegalArgumentException if the text is not a key
		 */
		public static PageKey parse(String text) {
			int split = text.indexOf('_');
			try {
				Instant parkedAt = Instant.parse(text.substring(0, Math.max(split, 0)));
				if (parkedAt.isBefore(ParkedFilter.EARLIEST) || parkedAt.isAfter(ParkedFilter.LATEST)) {
					throw new IllegalArgumentException(
							"The instant of a page key is %s. It must be from the year 1 to 9999.".formatted(parkedAt));
				}
				return new PageKey(parkedAt, Long.parseLong(text.substring(split + 1)));
			}
			catch (DateTimeException | NumberFormatException ex) {
				throw new IllegalArgumentException("'%s' is no page key".formatted(text), ex);
			}
		}

		@Override
		public String toString() {
			return this.parkedAt + "_" + this.id;
		}

	}

}
