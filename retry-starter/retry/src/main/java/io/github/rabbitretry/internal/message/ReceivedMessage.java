/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;

import org.springframework.amqp.support.AmqpHeaders;

/**
 * A message exactly as it came, before Spring AMQP turned it into its own: that is lossy,
 * and handlers may change what they get.
 *
 * @param properties the properties as received
 * @param body the body as received
 * @param exchange the exchange that it was published to
 * @param routingKey the key that it was published with
 * @param queue the queue that it was delivered from
 */
public record ReceivedMessage(BasicProperties properties, byte[] body, String exchange, String routingKey,
		String queue) {

	/**
	 * The headers as received, text as strings. Without {@code amqp_*}: expressions would
	 * take them for what Spring AMQP says of the delivery.
	 * @return a copy, empty if there are none
	 */
	public Map<String, Object> headers() {
		Map<String, Object> received = this.properties.getHeaders();
		if (received == null || received.isEmpty()) {
			return Map.of();
		}
		Map<String, Object> headers = new HashMap<>(received);
		headers.keySet().removeIf((name) -> name.startsWith(AmqpHeaders.PREFIX));
		headers.replaceAll((name, value) -> (value instanceof LongString) ? value.toString() : value);
		return headers;
	}

	/**
	 * Why the message was retried last, as recorded in its headers. To be called if it
	 * has any.
	 * @return the class and reason, unknown without such headers
	 */
	public FailureClassification lastFailure() {
		Map<String, Object> headers = this.properties.getHeaders();
		FailureClass failureClass = FailureClass.ofLabel(String.valueOf(headers.get(AppHeaders.RETRY_CLASS)))
			.orElse(FailureClass.UNKNOWN);
		try {
			return FailureClassification.of(failureClass, String.valueOf(headers.get(AppHeaders.RETRY_REASON)));
		}
		catch (IllegalArgumentException ex) {
			return FailureClassification.of(failureClass, Reasons.UNKNOWN_FAILURE);
		}
	}

}
