/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Why a message failed last, whatever was decided then: messages of a queue that have it
 * in common are one group.
 *
 * @param id equal for equal causes in a queue
 * @param exception the class of the innermost exception, or {@code null} if there is none
 * @param text its message, in which a {@code #} stands for what differs from message to
 * message as numbers, ids and quoted texts do, or {@code null} if there is none
 */
public record FailureCause(String id, @Nullable String exception, @Nullable String text) {

	private static final int BYTES = 6;

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
