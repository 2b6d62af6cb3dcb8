/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * How one message is to be changed before it is replayed.
 *
 * @param parkedId its id in the ledger
 * @param body the new body, or {@code null} to keep the old one; at most
 * {@value #LARGEST_BODY} bytes
 * @param setHeaders headers to set, texts, numbers and booleans; not ours, and not the
 * broker's
 * @param removeHeaders headers to remove
 * @param act who and why
 * @param takeReserved whether it is meant too if a replay has selected it and not
 * published it yet
 */
public record EditRequest(long parkedId, byte @Nullable [] body, Map<String, Object> setHeaders,
		Set<String> removeHeaders, OperatorAction act, boolean takeReserved) {

	/** The largest body, in bytes: RabbitMQ's default. */
	public static final int LARGEST_BODY = 16 * 1024 * 1024;

	/**
	 * Checks everything.
	 * @throws ReplayRefusedException if the body is too large, or a header can't be sent
	 * or is not to be changed
	 */
	public EditRequest {
		setHeaders = Map.copyOf(setHeaders);
		removeHeaders = Set.copyOf(removeHeaders);
		if (body != null && body.length > LARGEST_BODY) {
			throw ReplayRefusedException.invalid("body", "has %d bytes".formatted(body.length),
					"It may have %d at most.".formatted(LARGEST_BODY));
		}
		HeaderEdit.check(setHeaders, removeHeaders);
		if (body == null && setHeaders.isEmpty() && removeHeaders.isEmpty()) {
			throw ReplayRefusedException.invalid("edit", "changes nothing", "Replay the message as it is.");
		}
	}

	/**
	 * A change of a message that no replay has selected.
	 * @param parkedId its id in the ledger
	 * @param body the new body, or {@code null} to keep the old one
	 * @param setHeaders headers to set
	 * @param removeHeaders headers to remove
	 * @param act who and why
	 */
	public EditRequest(long parkedId, byte @Nullable [] body, Map<String, Object> setHeaders, Set<String> removeHeaders,
			OperatorAction act) {
		this(parkedId, body, setHeaders, removeHeaders, act, false);
	}

}
