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

/**
 * The headers of a message that goes on waiting: those of its last hop as they are, since
 * nothing has happened to it, but bounded, since they may be anybody's.
 */
public final class CarriedHeaders {

	private static final int LONGEST = 255;

	private CarriedHeaders() {
	}

	/**
	 * Copies the headers of the last hop.
	 * @param received the properties as received
	 * @return the headers, to be added to
	 */
	public static Map<String, Object> of(BasicProperties received) {
		Map<String, Object> headers = new HashMap<>();
		if (received.getHeaders() != null) {
			received.getHeaders().forEach((name, value) -> {
				if (OutboundProperties.isPerHop(name)) {
					if (value instanceof Number) {
						headers.put(name, value);
					}
					else if (value instanceof String || value instanceof LongString) {
						headers.put(name, HeaderText.bounded(value.toString(), LONGEST));
					}
				}
			});
		}
		return headers;
	}

}
