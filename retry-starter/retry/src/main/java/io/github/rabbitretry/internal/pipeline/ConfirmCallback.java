/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;

/**
 * Counts how the hand-over of a delivery ended.
 */
public record ConfirmCallback(Delivery delivery, DeliveryListener events, Redelivery redelivery,
		Runnable whenHandedOver) implements HandoverCallback {

	/** Without a publisher's confirm. */
	public void handedOver() {
		this.whenHandedOver.run();
	}

	@Override
	public void confirmed(Duration elapsed) {
		try {
			this.whenHandedOver.run();
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
