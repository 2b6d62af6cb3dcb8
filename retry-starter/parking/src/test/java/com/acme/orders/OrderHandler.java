/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.handler.RetryLaterException;
import io.github.rabbitretry.topology.Usage;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

class OrderHandler {

	@RabbitListener(queues = "order.command.create")
	void handle(CreateOrder order, RetryContext context) {
		if (order.cancelled()) {
			throw DiscardMessageException.asStale();
		}
		Usage usage = context.usage();
		if (usage.downstreamCalls() > 10 && context.attempt() < context.maxAttempts()) {
			throw RetryLaterException.nextLevel().because("TOO_MANY_CALLS");
		}
		context.spendDownstreamCall();
	}

}
