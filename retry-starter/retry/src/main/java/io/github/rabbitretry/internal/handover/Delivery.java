/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Instant;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DeliveryHistory;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was not handled, on its way to its end: whoever decides about it, logs
 * it, parks it or publishes a copy of it gets this.
 *
 * @param policy its message type's policy
 * @param publisher publishes its copies
 * @param received the message as received
 * @param acknowledgement settles the delivery
 * @param history what its headers say, with what was spent since
 * @param failure what the handler threw, or {@code null} if it was not called
 * @param now when it failed
 */
public record Delivery(MessagePolicy policy, ConfirmedPublisher publisher, ReceivedMessage received,
		Acknowledgement acknowledgement, DeliveryHistory history, @Nullable Throwable failure, Instant now) {

	/**
	 * The message type.
	 * @return the policy's name
	 */
	public String messageType() {
		return this.policy.messageType();
	}

	/**
	 * The largest frame that a copy has to fit into.
	 * @return bytes, 0 for no limit
	 */
	public int frameMax() {
		return this.acknowledgement.frameMax();
	}

	/**
	 * Begins to hand a copy over.
	 * @param id the id in the copy's hand-over header
	 * @param copy what to publish
	 * @param callback is told how that ended
	 */
	public void handOver(long id, OutboundMessage copy, HandoverCallback callback) {
		this.publisher.submit(id, copy, this.acknowledgement, callback);
	}

}
