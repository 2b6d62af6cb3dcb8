/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import io.github.rabbitretry.parking.message.FailureCause;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the causes of failures.
 */
final class FailureCauses {

	private static final int BYTES = 6;

	private FailureCauses() {
	}

	/**
	 * Identifies a cause.
	 * @param queue the work queue
	 * @param reason why the message failed, budgets aside
	 * @param exception the class of the innermost exception
	 * @param text its message, without what differs
	 * @param fingerprint what tells failures apart where there is no exception
	 */
	static FailureCause of(String queue, String reason, @Nullable String exception, @Nullable String text,
			String fingerprint) {
		MessageDigest digest = Hashes.sha256();
		for (String part : new @Nullable String[] { queue, reason, exception, text,
				(exception == null) ? fingerprint : null }) {
			digest.update((byte) ((part != null) ? 1 : 0));
			digest.update(((part != null) ? part : "").getBytes(StandardCharsets.UTF_8));
			digest.update((byte) 0);
		}
		return new FailureCause(HexFormat.of().formatHex(digest.digest(), 0, BYTES), exception, text);
	}

}
