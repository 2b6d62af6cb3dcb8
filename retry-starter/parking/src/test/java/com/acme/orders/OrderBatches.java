/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.util.List;

import io.github.rabbitretry.handler.BatchItemsFailedException;
import io.github.rabbitretry.handler.DiscardMessageException;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

class OrderBatches {

	@RabbitListener(queues = "order.command.create", batch = "true")
	void handle(List<CreateOrder> orders) throws BatchItemsFailedException {
		BatchItemsFailedException failed = new BatchItemsFailedException();
		for (int index = 0; index < orders.size(); index++) {
			if (orders.get(index).cancelled()) {
				failed.add(index, DiscardMessageException.asStale());
			}
		}
		failed.throwIfAny();
	}

}
