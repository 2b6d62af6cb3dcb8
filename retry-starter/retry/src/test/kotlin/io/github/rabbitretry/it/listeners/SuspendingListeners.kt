/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners

import kotlinx.coroutines.delay
import org.springframework.amqp.rabbit.annotation.RabbitListener

/**
 * Handlers that go on, and succeed or fail, on another thread.
 */
internal class SuspendingListeners {

	@RabbitListener(queues = ["kinds.kotlin-suspend"])
	suspend fun handle(order: Order) {
		delay(1)
		HandlerCalls.handle(order.id)
	}

	@RabbitListener(queues = ["kinds.kotlin-suspend-with-a-reply"])
	suspend fun reply(order: Order): Order {
		handle(order)
		return order
	}

}
