/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import java.time.Instant;
import java.util.Locale;

/**
 * An indicator of poison messages: a value that many failures of a message type share.
 *
 * @param messageType the policy's name
 * @param owner the owner of the message type
 * @param kind the kind of indicator
 * @param value the value, at most 64 bytes; text of a producer unless it is a
 * fingerprint, which must not be used as a metric tag
 * @param share its share of the counted failures, from 0 to 1
 * @param failures the number of counted failures, of all values
 * @param at when it was detected
 */
public record PoisonSignal(String messageType, String owner, Kind kind, String value, double share, long failures,
		Instant at) {

	/**
	 * The kinds of indicators.
	 */
	public enum Kind {

		/** Failures are similar, according to their fingerprint. */
		FINGERPRINT,

		/** Messages of one schema version fail, others don't. */
		SCHEMA_VERSION,

		/** Messages of one producer version fail, others don't. */
		PRODUCER_VERSION,

		/**
		 * Consumers die while handling messages; the value is the id of the message that
		 * causes it, empty while that is unknown.
		 */
		CRASH_LOOP;

		/**
		 * The name in metrics and logs.
		 * @return lower case letters and hyphens
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
