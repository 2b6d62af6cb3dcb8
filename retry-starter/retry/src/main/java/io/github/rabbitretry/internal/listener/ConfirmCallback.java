/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;

/**
 * Counts how the hand-over of a delivery ended.
 */
final class ConfirmCallback implements HandoverCallback {

	private final Delivery delivery;

	private final DeliveryListener events;

	private final Redelivery redelivery;

	private final Runnable handedOver;

	ConfirmCallback(Delivery delivery, DeliveryListener events, Redelivery redelivery, Runnable handedOver) {
		this.delivery = delivery;
		this.events = events;
		this.redelivery = redelivery;
		this.handedOver = handedOver;
	}

	/** Without a publisher's confirm. */
	void handedOver() {
		this.handedOver.run();
	}

	@Override
	public void confirmed(Duration elapsed) {
		try {
			this.handedOver.run();
			this.events.handedOver(this.delivery.messageType(), elapsed);
		}
		finally {
			this.redelivery.handoverEnded();
		}
	}

	@Override
	public void abandoned() {
		try {
			this.delivery.acknowledgement().released();
			this.events.returned(this.delivery.messageType());
		}
		finally {
			this.redelivery.handoverEnded();
		}
	}

}
