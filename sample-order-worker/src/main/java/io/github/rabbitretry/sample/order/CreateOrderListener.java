/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import io.github.rabbitretry.sample.event.OrderEvent;
import io.github.rabbitretry.sample.event.OrderEvents;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/**
 * Creates orders.
 */
@Component
class CreateOrderListener {

	private final Inventory inventory;

	private final OrderStore store;

	private final OrderEvents events;

	private final int newestSchema;

	CreateOrderListener(Inventory inventory, OrderStore store, OrderEvents events,
			@Value("${order.newest-schema-version}") int newestSchema) {
		this.newestSchema = newestSchema;
		this.inventory = inventory;
		this.store = store;
		this.events = events;
	}

	@RabbitListener(queues = "order.command.create")
	void create(CreateOrderCommand command, @Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
		command.requireSchemaUpTo(this.newestSchema);
		this.inventory.reserve(command.orderId(), command.sku(), command.quantity());
		this.store.create(command.orderId());
		// also for an order that was there: the worker that created it may have died
		// before the event went out
		this.events.publish(new OrderEvent(OrderEvent.ORDER_CREATED, command.orderId(), attempt));
	}

}
