/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.Serial;

/**
 * A listener tried to settle a message that is settled for it. A failure of the message:
 * it is parked at once, since its handler would do the same at each attempt.
 */
final class RefusedSettlementException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	RefusedSettlementException(String listener, String method) {
		super("Listener '%s' calls Channel.%s, but Rabbit Retry settles the messages of its queue, which has a message policy. Remove that call: a message is acknowledged when the listener returns, and retried or parked when it throws an exception"
			.formatted(listener, method));
	}

}
