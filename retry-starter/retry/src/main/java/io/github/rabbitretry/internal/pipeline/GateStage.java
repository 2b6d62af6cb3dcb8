/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

/**
 * Waits while the container holds its deliveries back. What it holds when it stops is
 * given back.
 */
public record GateStage(StageContext context, Stage next) implements Stage {

	@Override
	public void handle(ListenerDelivery delivery) {
		try {
			this.context.completion().received(delivery);
			if (!this.context.container().passGate(delivery.acknowledgement().channel())) {
				this.context.completion().returned(delivery);
				return;
			}
			this.next.handle(delivery);
		}
		catch (Throwable ex) {
			this.context.completion().notSettled(delivery, ex);
		}
		this.context.container().leave(delivery.acknowledgement().channel());
	}

}
