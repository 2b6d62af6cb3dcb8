/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.message.BrokerHeaders;

/**
 * What the broker counts of deliveries that come back to their queue.
 */
final class DeliveryCounts {

	private DeliveryCounts() {
	}

	/**
	 * Whether a delivery that is given back by nack counts. Tried on RabbitMQ 4.0.5 and
	 * 4.3.6; release notes say that it changed in 4.3.
	 * @param connection leads to the broker
	 * @return {@code false} from RabbitMQ 4.3 on
	 */
	static boolean riseByNack(Connection connection) {
		return !atLeast(String.valueOf(connection.getServerProperties().get("version")), 4, 3);
	}

	static boolean atLeast(String version, int major, int minor) {
		String[] parts = version.split("[^0-9]", 3);
		try {
			int first = Integer.parseInt(parts[0]);
			return first > major || (first == major && Integer.parseInt(parts[1]) >= minor);
		}
		catch (NumberFormatException | ArrayIndexOutOfBoundsException ex) {
			return false;
		}
	}

	/**
	 * How often a message was delivered and came back.
	 * @param properties its properties
	 * @return what the broker says, 0 if it says nothing
	 */
	static long of(BasicProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		Object count = (headers != null) ? headers.get(BrokerHeaders.DELIVERY_COUNT) : null;
		return (count instanceof Number number) ? Math.max(0, number.longValue()) : 0;
	}

}
