/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.BrokerHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message that is moved: as they were, but for what the broker would
 * act on again or refuse. Where the message came from is kept in the headers that a retry
 * would write.
 */
final class MovedProperties {

	/**
	 * Deliveries from the old queue, which sent by a client would be believed, and what a
	 * return is matched by.
	 */
	private static final List<String> COUNTS = List.of(BrokerHeaders.DELIVERY_COUNT, "x-acquired-count",
			AppHeaders.HANDOVER_ID);

	private MovedProperties() {
	}

	static BasicProperties of(Envelope envelope, BasicProperties received, String from, String into) {
		Map<String, Object> headers = new HashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		COUNTS.forEach(headers::remove);
		// routed by them once already
		Object copies = headers.remove("CC");
		headers.remove("BCC");
		if (!headers.containsKey(AppHeaders.ORIGIN_EXCHANGE) && !headers.containsKey(BrokerHeaders.DEATH)) {
			headers.put(AppHeaders.ORIGIN_EXCHANGE, envelope.getExchange());
			headers.put(AppHeaders.ORIGIN_ROUTING_KEY, envelope.getRoutingKey());
			headers.put(AppHeaders.ORIGIN_QUEUE, into);
		}
		else if (from.equals(String.valueOf(headers.get(AppHeaders.ORIGIN_QUEUE)))) {
			// the headers count where they name the queue
			headers.put(AppHeaders.ORIGIN_QUEUE, into);
		}
		putIfAbsent(headers, AppHeaders.ORIGIN_CC, (copies != null) ? copies.toString() : null);
		// the broker closes the channel of whoever publishes a stranger's
		putIfAbsent(headers, AppHeaders.ORIGIN_USER_ID, received.getUserId());
		return received.builder().headers(headers).userId(null).build();
	}

	private static void putIfAbsent(Map<String, Object> headers, String name, @Nullable String value) {
		if (value != null) {
			headers.putIfAbsent(name, value);
		}
	}

}
