/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import io.github.rabbitretry.sample.event.OrderEvent;
import io.github.rabbitretry.sample.event.OrderEvents;
import io.github.rabbitretry.sample.order.OrderStatus;
import io.github.rabbitretry.sample.order.OrderStore;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/**
 * Captures payments.
 */
@Component
class CapturePaymentListener {

	private final FraudCheck fraud;

	private final PaymentGateway gateway;

	private final OrderStore store;

	private final OrderEvents events;

	CapturePaymentListener(FraudCheck fraud, PaymentGateway gateway, OrderStore store, OrderEvents events) {
		this.fraud = fraud;
		this.gateway = gateway;
		this.store = store;
		this.events = events;
	}

	@RabbitListener(queues = "payment.command.capture", containerFactory = "oneAtATime")
	void capture(CapturePaymentCommand command, @Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
		this.fraud.check(command.card());
		PaymentStatus payment = this.gateway.capture(command, attempt);
		if (payment == PaymentStatus.REFUNDED) {
			this.store.advance(command.orderId(), OrderStatus.REFUNDED);
		}
		this.store.advance(command.orderId(), OrderStatus.PAID);
		this.events.publish(new OrderEvent(OrderEvent.PAYMENT_CAPTURED, command.orderId(), attempt));
	}

}
