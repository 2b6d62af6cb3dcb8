/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.util.Collection;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

/**
 * A message of a parking lot as it was delivered, unacknowledged.
 *
 * @param tag its delivery tag
 * @param queue the parking lot
 * @param properties its properties and headers
 * @param body its body
 */
record ParkedDelivery(long tag, String queue, BasicProperties properties, byte[] body) {

	/** What each object around the bytes takes, roughly. */
	private static final int OVERHEAD = 64;

	private static final int DEEPEST = 16;

	/** No header takes more: they are all in one frame. */
	private static final int UNKNOWN = 131_072;

	/**
	 * What it takes in memory, roughly.
	 * @return bytes
	 */
	long bytes() {
		return 16L * OVERHEAD + this.body.length + bytes(this.properties.getHeaders(), 0);
	}

	private static long bytes(@Nullable Object value, int depth) {
		if (depth > DEEPEST) {
			return UNKNOWN;
		}
		long bytes = OVERHEAD;
		if (value instanceof LongString text) {
			bytes += text.length();
		}
		else if (value instanceof byte[] array) {
			bytes += array.length;
		}
		else if (value instanceof Map<?, ?> table) {
			for (Map.Entry<?, ?> entry : table.entrySet()) {
				bytes += OVERHEAD + 2L * String.valueOf(entry.getKey()).length() + bytes(entry.getValue(), depth + 1);
			}
		}
		else if (value instanceof Collection<?> list) {
			for (Object element : list) {
				bytes += bytes(element, depth + 1);
			}
		}
		return bytes;
	}

}
