/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
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
	 * Begins to hand a message over, after which the delivery is acknowledged.
	 * @param message what to publish
	 * @param callback is told how that ended
	 * @return why the message can never be published, so that nothing was begun, or empty
	 */
	public Optional<String> handOver(OutboundMessage message, HandoverCallback callback) {
		return this.publisher.submit(message, this.acknowledgement, callback);
	}

	/**
	 * Begins to hand a copy over as the producer sent it.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param headers our headers, to which the copy's id is added
	 * @param callback is told how that ended
	 * @return {@code false} if the headers leave no room for ours or it can't be
	 * published as it is, so that nothing was begun
	 */
	public boolean handOverWhole(String exchange, String routingKey, Map<String, Object> headers,
			HandoverCallback callback) {
		headers.put(AppHeaders.HANDOVER_ID, this.publisher.nextId());
		OutboundProperties properties = OutboundProperties.of(this.received.properties(), headers, frameMax());
		return properties.dropped().isEmpty() && handOver(
				OutboundMessage.numbered(exchange, routingKey, properties.properties(), this.received.body()), callback)
			.isEmpty();
	}

}
