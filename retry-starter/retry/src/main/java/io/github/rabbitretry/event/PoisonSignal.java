/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import java.time.Instant;
import java.util.Locale;

/**
 * One value that stands out among the failures of a message type.
 *
 * @param messageType the policy's name
 * @param owner who answers for the message type
 * @param kind what stands out
 * @param value which one, at most 64 bytes, a producer's text unless it is a fingerprint;
 * never fit for a metric's tag
 * @param share its part of the failures that were counted, from 0 to 1
 * @param failures how many failures were counted, of all values
 * @param at when it was noticed
 */
public record PoisonSignal(String messageType, String owner, Kind kind, String value, double share, long failures,
		Instant at) {

	/**
	 * What can stand out.
	 */
	public enum Kind {

		/** Failures that look alike, by their fingerprint. */
		FINGERPRINT,

		/** Messages of one schema version fail, others don't. */
		SCHEMA_VERSION,

		/** Messages of one producer version fail, others don't. */
		PRODUCER_VERSION,

		/**
		 * Consumers die with messages in their hands; the value is the id of the message
		 * that is to blame, empty while that is not known.
		 */
		CRASH_LOOP;

		/**
		 * How metrics and logs name it.
		 * @return lower case letters and hyphens
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
