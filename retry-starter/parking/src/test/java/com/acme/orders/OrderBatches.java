/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.util.List;

import io.github.rabbitretry.handler.BatchItemsFailed;
import io.github.rabbitretry.handler.DiscardMessage;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

class OrderBatches {

	@RabbitListener(queues = "order.command.create", batch = "true")
	void handle(List<CreateOrder> orders) throws BatchItemsFailed {
		BatchItemsFailed failed = new BatchItemsFailed();
		for (int index = 0; index < orders.size(); index++) {
			if (orders.get(index).cancelled()) {
				failed.add(index, DiscardMessage.asStale());
			}
		}
		failed.throwIfAny();
	}

}
