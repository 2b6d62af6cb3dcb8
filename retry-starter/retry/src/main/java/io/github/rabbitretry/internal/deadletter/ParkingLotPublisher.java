/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * Hands messages over to the parking lot.
 */
public final class ParkingLotPublisher {

	private final ParkingHeaders envelope;

	private final FailureLog log;

	/**
	 * Creates the publisher.
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
	 * @param delivery the delivery
	 * @param park why
	 * @param callback the callback to notify
	 */
	public void park(Delivery delivery, Decision.Park park, HandoverCallback callback) {
		OutboundProperties properties = OutboundProperties.forParking(delivery.received().properties(),
				this.envelope.write(delivery, park), delivery.frameMax());
		MessageTopology topology = delivery.policy().topology();
		OutboundMessage copy = new OutboundMessage(topology.deadLetterExchange(), topology.parkingLot(),
				properties.properties(), delivery.received().body());
		this.log.parked(delivery, park);
		delivery.handOver(copy, callback).ifPresent((problem) -> {
			throw new IllegalStateException(
					"a message of '%s' can't be parked: %s".formatted(delivery.messageType(), problem));
		});
	}

}
