/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.parking.message.ParkedMessage;

/**
 * Reads messages that are still in a parking lot as the ledger would, so that both can be
 * searched in one way.
 */
public final class ParkedMessageMapper {

	/** JSON readers that know no integers beyond 2^53 must not change an id. */
	private static final int BITS_OF_ID = 53;

	private final ParkedRecordMapper rows;

	/**
	 * Creates the reader.
	 * @param names where producers write what AMQP has no property for
	 * @param clock what time it is
	 */
	public ParkedMessageMapper(ProducerHeaderNames names, InstantSource clock) {
		this.rows = new ParkedRecordMapper(names, clock);
	}

	/**
	 * Reads a message.
	 * @param policy what the ledger does with its message type; the body is redacted
	 * accordingly
	 * @param properties its properties and headers
	 * @param body its body
	 * @return the message; its id is derived from its content, so that it is the same
	 * each time, and equal for messages that are equal in every byte. What can't be
	 * written again is cut in the summary, and as it was in the properties
	 */
	public ParkedMessage read(LedgerPolicy policy, BasicProperties properties, byte[] body) {
		ParkedRecord row = this.rows.read(policy, lasting(properties), body);
		long id = ByteBuffer.wrap(row.key()).getLong() >>> (Long.SIZE - BITS_OF_ID);
		return AmqpPropertiesCodec.message(row.summary(id), properties, row.body());
	}

	/** Without what changes when a message is parked anew where it is. */
	private static BasicProperties lasting(BasicProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers == null || !headers.containsKey(AppHeaders.HANDOVER_ID)) {
			return properties;
		}
		Map<String, Object> others = new HashMap<>(headers);
		others.remove(AppHeaders.HANDOVER_ID);
		return properties.builder().headers(others.isEmpty() ? null : others).build();
	}

}
