/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import io.github.rabbitretry.internal.pipeline.ListenerDelivery;
import io.github.rabbitretry.internal.pipeline.RetryAdvice;
import io.github.rabbitretry.internal.pipeline.Stage;
import io.github.rabbitretry.internal.pipeline.StageContext;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Puts deliveries into the lanes of their keys, in which they are handled one after the
 * other.
 */
public record OrderingStage(OrderedHandling ordered, StageContext context, Stage next) implements Stage {

	private static final Log logger = LogFactory.getLog(RetryAdvice.class);

	@Override
	public void handle(ListenerDelivery delivery) {
		try {
			this.ordered.add(new HeldMessage(delivery, this.ordered, this.context.container(), this::handleInLane));
		}
		catch (Throwable ex) {
			BestEffortLog.error(logger, "A message of '%s' could not be kept in order. Its channel is closed"
				.formatted(delivery.messageType()), ex);
			delivery.acknowledgement().giveBack();
		}
	}

	/** On a thread of its lane. */
	private void handleInLane(ListenerDelivery delivery) {
		this.ordered.handle(this.context.services().observer(), delivery.call().message(), () -> {
			try {
				this.context.completion().received(delivery);
				this.next.handle(delivery);
			}
			catch (Throwable ex) {
				this.context.completion().notSettled(delivery, ex);
			}
		});
	}

}
