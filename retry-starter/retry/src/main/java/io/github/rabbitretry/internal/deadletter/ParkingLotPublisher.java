/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.OutboundProperties;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.DeliveryHistory;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages over to the parking lot.
 */
public final class ParkingLotPublisher {

	private final ParkingHeaders envelope;

	private final FailureLog log;

	/**
	 * Creates the parker.
	 * @param envelope writes the headers
	 * @param log says what is parked
	 */
	public ParkingLotPublisher(ParkingHeaders envelope, FailureLog log) {
		this.envelope = envelope;
		this.log = log;
	}

	/**
	 * Begins to park a message. A message whose headers leave no room for the envelope
	 * loses its largest ones, and names them. What can't be published as it is is kept as
	 * data in the header {@value AppHeaders#UNPUBLISHABLE}.
	 * @param publisher the publisher to publish on
	 * @param policy the message type's policy
	 * @param received the message as received
	 * @param acknowledgement its delivery
	 * @param history what its headers say
	 * @param park why it is parked
	 * @param failure what the handler threw, or {@code null} if it was not called
	 * @param now the current instant
	 * @param callback who is told
	 */
	public void park(ConfirmedPublisher publisher, MessagePolicy policy, ReceivedMessage received,
			Acknowledgement acknowledgement, DeliveryHistory history, Decision.Park park, @Nullable Throwable failure,
			Instant now, HandoverCallback callback) {
		long id = publisher.nextId();
		Map<String, Object> headers = new HashMap<>(this.envelope.write(policy, received, history, park, failure, now));
		headers.put(AppHeaders.HANDOVER_ID, id);
		OutboundProperties properties = OutboundProperties.forParking(received.properties(), headers,
				acknowledgement.frameMax());
		OutboundMessage copy = new OutboundMessage(policy.topology().deadLetterExchange(),
				policy.topology().parkingLot(), properties.properties(), received.body());
		this.log.parked(policy, received, history, park, failure);
		Optional<OutboundMessage> reply = ParkReplies.to(policy, received, history, park, now);
		publisher.submit(id, copy, acknowledgement,
				reply.map((sent) -> replying(publisher, sent, callback)).orElse(callback));
	}

	/** Not before the request is in the parking lot: its sender may send it again. */
	private static HandoverCallback replying(ConfirmedPublisher publisher, OutboundMessage reply,
			HandoverCallback callback) {
		return new HandoverCallback() {

			@Override
			public void confirmed(Duration elapsed) {
				callback.confirmed(elapsed);
				publisher.reply(reply);
			}

			@Override
			public void abandoned() {
				callback.abandoned();
			}

		};
	}

}
