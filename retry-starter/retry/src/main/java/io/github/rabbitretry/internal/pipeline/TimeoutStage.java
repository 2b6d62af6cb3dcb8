/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import io.github.rabbitretry.internal.invocation.HandlerTimeout;

/**
 * Limits the time of each call of the handler. A message that the broker delivers again
 * while its earlier delivery is still handled here waits for that.
 */
record TimeoutStage(HandlerTimeout timeout, StageContext context, Stage next) implements Stage {

	@Override
	public void handle(ListenerDelivery delivery) {
		delivery.call().limit(this.timeout);
		try (HandlerTimeout.Turn turn = this.context.container()
			.awaitTurn(this.timeout, delivery.received(), delivery.call().redelivered(),
					delivery.acknowledgement().channel())) {
			if (turn != null) {
				this.next.handle(delivery);
			}
			else {
				this.context.completion().giveBack(delivery);
			}
		}
	}

}
