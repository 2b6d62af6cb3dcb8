/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.Map;

import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.topology.DelayRoute;

/**
 * Publishes a copy of each message to the retry queues.
 */
public final class RetryQueueRedelivery implements Redelivery {

	/**
	 * Synchronized clocks of two instances differ by some milliseconds, and waiting on
	 * takes 250 at least: a message whose queue is long enough does not wait on for that.
	 * From a shorter queue, a message that is this much too early is too early.
	 */
	private static final Duration CLOCKS = Duration.ofMillis(50);

	@Override
	public boolean begin(Delivery delivery, Duration delay, Map<String, Object> headers, ConfirmCallback callback) {
		DelayRoute route = delivery.policy().topology().route(delay);
		Duration least = (route.delay().compareTo(delay) < 0) ? delay : delay.minus(CLOCKS);
		// always: a broker policy can shorten the time to live of every retry queue
		headers.put(AppHeaders.RETRY_NOT_BEFORE, delivery.now().plus(least).toString());
		return delivery.handOverWhole(route.exchange(), route.routingKey(), headers, callback);
	}

	@Override
	public void giveBack(Delivery delivery) {
		delivery.acknowledgement().giveBack();
	}

	/**
	 * Of an existing queue without a dead-letter exchange, RabbitMQ drops what is
	 * rejected.
	 */
	@Override
	public Fallback whenNotSettled(Delivery delivery, boolean redelivered) {
		return delivery.policy().topology().hasExistingQueue() ? Fallback.PARK : Fallback.DEAD_LETTER;
	}

}
