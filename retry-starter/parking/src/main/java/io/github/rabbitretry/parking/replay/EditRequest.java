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
 * A request to change one message and replay it.
 *
 * @param parkedId its id in the ledger
 * @param body the new body, or {@code null} to keep the old one; at most
 * {@value #LARGEST_BODY} bytes
 * @param setHeaders headers to set, with texts, numbers or booleans as values; our
 * headers and the broker's cannot be changed
 * @param removeHeaders headers to remove
 * @param act the user and the reason
 * @param takeReserved whether to take it even if a replay has selected it and not yet
 * published it
 */
public record EditRequest(long parkedId, byte @Nullable [] body, Map<String, Object> setHeaders,
		Set<String> removeHeaders, OperatorAction act, boolean takeReserved) {

	/** The largest body, in bytes: RabbitMQ's default. */
	public static final int LARGEST_BODY = 16 * 1024 * 1024;

	/**
	 * Validates the request.
	 * @throws ReplayRefusedException if the body is too large, or a header cannot be sent
	 * or must not be changed
	 */
	public EditRequest {
		setHeaders = Map.copyOf(setHeaders);
		removeHeaders = Set.copyOf(removeHeaders);
		if (body != null && body.length > LARGEST_BODY) {
			throw ReplayRefusedException.invalid("body", "has %s bytes".formatted(body.length),
					"It may have %s at most.".formatted(LARGEST_BODY));
		}
		HeaderEdit.check(setHeaders, removeHeaders);
		if (body == null && setHeaders.isEmpty() && removeHeaders.isEmpty()) {
			throw ReplayRefusedException.invalid("edit", "changes nothing", "Replay the message as it is.");
		}
	}

	/**
	 * Creates a request for a message that no replay has selected.
	 * @param parkedId its id in the ledger
	 * @param body the new body, or {@code null} to keep the old one
	 * @param setHeaders headers to set
	 * @param removeHeaders headers to remove
	 * @param act the user and the reason
	 */
	public EditRequest(long parkedId, byte @Nullable [] body, Map<String, Object> setHeaders, Set<String> removeHeaders,
			OperatorAction act) {
		this(parkedId, body, setHeaders, removeHeaders, act, false);
	}

}
