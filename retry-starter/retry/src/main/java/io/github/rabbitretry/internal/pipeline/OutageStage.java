/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.Set;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.Dependency;

/**
 * Calls no handler while the service that it needs is down.
 */
record OutageStage(Dependency dependency, Set<String> reasons, StageContext context, Stage next) implements Stage {

	@Override
	public void handle(ListenerDelivery delivery) {
		Acknowledgement acknowledgement = delivery.acknowledgement();
		DeliveryChannel channel = acknowledgement.channel();
		try (CircuitCall call = this.context.container().awaitCall(this.dependency, this.reasons, channel)) {
			if (!acknowledgement.open()) {
				this.context.completion().returned(delivery);
			}
			else if (call != null) {
				call.heldWhile(acknowledgement::open);
				delivery.circuitCall(call);
				this.next.handle(delivery);
			}
			else if (!acknowledgement.isPart() && this.context.container().giveBack(channel)) {
				this.context.completion().returned(delivery);
			}
			else {
				// the broker would take back what was handled of the same batch too
				this.context.container().cancelBeforePause(acknowledgement);
				this.context.completion().settle(delivery, delivery.queue().untilProbe(delivery.decideNow(null)));
			}
		}
	}

}
