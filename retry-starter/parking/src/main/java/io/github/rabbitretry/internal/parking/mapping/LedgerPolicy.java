/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.policy.ExceptionTexts;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger does with one message type.
 *
 * @param messageType the policy's name
 * @param owner who answers for it
 * @param queue the work queue
 * @param parkingLot the queue of parked messages
 * @param retention how long a row is kept after the message was parked, or {@code null}
 * for ever
 * @param redaction what is hidden of the bodies
 * @param exceptionTexts what is stored of exceptions
 * @param former the parking lots of former work queues, by the names of these
 */
public record LedgerPolicy(String messageType, String owner, String queue, String parkingLot,
		@Nullable Duration retention, Redaction redaction, ExceptionTexts exceptionTexts, Map<String, String> former) {

	public LedgerPolicy {
		former = Map.copyOf(former);
	}

	/**
	 * The same for messages of another parking lot.
	 * @param other the parking lot
	 * @return the policy
	 */
	public LedgerPolicy ofParkingLot(String other) {
		return new LedgerPolicy(this.messageType, this.owner, this.queue, other, this.retention, this.redaction,
				this.exceptionTexts, this.former);
	}

	/**
	 * The work queue, and what it was called before.
	 * @return their names
	 */
	public Set<String> queues() {
		Set<String> queues = new LinkedHashSet<>(this.former.keySet());
		queues.add(this.queue);
		return queues;
	}

}
