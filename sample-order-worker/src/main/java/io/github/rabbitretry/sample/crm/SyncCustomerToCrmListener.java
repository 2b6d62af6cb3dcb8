/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.crm;

import io.github.rabbitretry.sample.event.OrderEvent;
import io.github.rabbitretry.sample.event.OrderEvents;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/**
 * Tells customers to the CRM.
 */
@Component
class SyncCustomerToCrmListener {

	private final CrmClient crm;

	private final OrderEvents events;

	SyncCustomerToCrmListener(CrmClient crm, OrderEvents events) {
		this.crm = crm;
		this.events = events;
	}

	@RabbitListener(queues = "customer.command.sync-to-crm")
	void sync(SyncCustomerToCrmCommand command, @Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
		this.crm.put(command.customerId(), command.email(), attempt);
		this.events.publish(new OrderEvent(OrderEvent.CUSTOMER_SYNCED, command.orderId(), attempt));
	}

}
