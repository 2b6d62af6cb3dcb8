/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.topology.AppHeaders;

/**
 * The headers of a message that goes on waiting: all of ours as they are, since nothing
 * has happened to it.
 */
final class Waiting {

	private Waiting() {
	}

	static Map<String, Object> headers(BasicProperties received) {
		Map<String, Object> headers = new HashMap<>();
		if (received.getHeaders() != null) {
			received.getHeaders().forEach((name, value) -> {
				if (name.startsWith(AppHeaders.PREFIX)) {
					headers.put(name, value);
				}
			});
		}
		return headers;
	}

}
