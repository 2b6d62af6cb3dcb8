/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.event;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpTimeoutException;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.stereotype.Component;

/**
 * Tells others what happened to orders. An event that the broker did not confirm is a
 * failure of the handler, since its message is acknowledged next.
 */
@Component
public class OrderEvents {

	static final String EXCHANGE = "order.events";

	private final RabbitTemplate template;

	OrderEvents(RabbitTemplate template) {
		this.template = template;
		// a broker with an alarm reads nothing from a connection that publishes, no
		// acknowledgements either
		template.setUsePublisherConnection(true);
	}

	/**
	 * Publishes an event and waits until the broker has it. An event without subscribers
	 * is no failure.
	 * @param event the event
	 * @throws AmqpException if the broker did not take it
	 */
	public void publish(OrderEvent event) {
		CorrelationData confirm = new CorrelationData();
		this.template.convertAndSend(EXCHANGE, event.type(), event, confirm);
		try {
			if (!confirm.getFuture().get(10, TimeUnit.SECONDS).ack()) {
				throw new AmqpException("the broker refused event %s".formatted(event.type()));
			}
		}
		catch (TimeoutException ex) {
			throw new AmqpTimeoutException("the broker did not confirm event %s".formatted(event.type()), ex);
		}
		catch (ExecutionException ex) {
			throw new AmqpException("event %s may not have been published".formatted(event.type()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpException("interrupted before event %s was confirmed".formatted(event.type()), ex);
		}
	}

}
