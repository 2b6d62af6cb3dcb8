/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.github.rabbitretry.internal.pipeline.ConfirmCallback;
import io.github.rabbitretry.internal.pipeline.ListenerDelivery;
import io.github.rabbitretry.internal.pipeline.Redelivery;
import io.github.rabbitretry.internal.pipeline.RetryAdvice;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Holds messages that keep their order. Nothing goes through a publisher, and all of it
 * happens on the thread that handles the message.
 */
public record OrderedRedelivery(OrderedHandling ordered, ManagedContainer container,
		AttemptObserver observer) implements Redelivery {

	private static final Log logger = LogFactory.getLog(RetryAdvice.class);

	/** Puts the delivery into the lane of its key. */
	@Override
	public boolean handlesInOrder(ListenerDelivery delivery, Consumer<ListenerDelivery> handling) {
		try {
			this.ordered.add(new HeldMessage(delivery, this.ordered, this.container,
					(next) -> this.ordered.handle(this.observer, next.call().message(), () -> handling.accept(next))));
		}
		catch (Throwable ex) {
			BestEffortLog.error(logger, "A message of '%s' could not be kept in order. Its channel is closed"
				.formatted(delivery.messageType()), ex);
			delivery.acknowledgement().giveBack();
		}
		return true;
	}

	@Override
	public boolean begin(Delivery delivery, Duration delay, Map<String, Object> headers, ConfirmCallback callback) {
		OutboundProperties properties = OutboundProperties.of(delivery.received().properties(), headers,
				delivery.frameMax());
		if (!properties.dropped().isEmpty()) {
			return false;
		}
		Optional<HeldMessage> message = this.ordered.held(delivery);
		if (message.isEmpty() || !delivery.acknowledgement().open()) {
			// the broker has it again
			callback.abandoned();
			return true;
		}
		message.get().again(this.ordered.bounded(delay), properties.properties());
		delivery.acknowledgement().released();
		callback.handedOver();
		return true;
	}

	@Override
	public boolean blocks() {
		return this.ordered.blocks();
	}

	@Override
	public void block(Delivery delivery, String reason) {
		this.ordered.block(delivery, reason);
	}

	@Override
	public void giveBack(Delivery delivery) {
		this.ordered.holdAsIs(delivery);
	}

	/**
	 * What is behind one that is parked would be handled first, and parking it may end
	 * consuming instead.
	 */
	@Override
	public Fallback whenNotSettled(Delivery delivery, boolean redelivered) {
		return redelivered ? Fallback.PARK : Fallback.GIVE_BACK;
	}

	@Override
	public void handoverEnded() {
		this.ordered.wake();
	}

}
