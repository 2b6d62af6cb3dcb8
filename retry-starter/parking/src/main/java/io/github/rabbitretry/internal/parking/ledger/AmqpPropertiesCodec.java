/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Properties and headers as AMQP 0-9-1 itself writes them into a content header, so that
 * every type survives: a short stays a short, bytes stay bytes, tables stay tables.
 */
public final class AmqpPropertiesCodec {

	/** The weight and the body size, which stand before the properties. */
	private static final int BEFORE = Short.BYTES + Long.BYTES;

	private AmqpPropertiesCodec() {
	}

	/**
	 * Writes properties.
	 * @param properties the properties
	 * @return their bytes
	 */
	public static byte[] encode(BasicProperties properties) {
		try {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
			DataOutputStream out = new DataOutputStream(bytes);
			properties.writePropertiesTo(new ContentHeaderPropertyWriter(out));
			out.flush();
			return bytes.toByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("nothing is written but memory", ex);
		}
	}

	/**
	 * Reads what {@link #encode} wrote.
	 * @param encoded the bytes
	 * @return the properties, text as AMQP strings
	 */
	public static BasicProperties decode(byte[] encoded) {
		try {
			byte[] whole = new byte[BEFORE + encoded.length];
			System.arraycopy(encoded, 0, whole, BEFORE, encoded.length);
			return new BasicProperties(new DataInputStream(new ByteArrayInputStream(whole)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("properties in the ledger can't be read", ex);
		}
	}

	/**
	 * What does not change when the same message is delivered again: without the headers
	 * that the broker makes, and in an order that does not depend on hashing.
	 * @param properties the properties as received
	 * @return equal bytes for equal properties
	 */
	static byte[] canonical(BasicProperties properties) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers == null) {
			return encode(properties);
		}
		Map<String, @Nullable Object> sorted = sorted(headers);
		sorted.keySet().removeIf(BrokerHeaders::madeByBroker);
		// nothing is left where the broker's were the only ones
		return encode(properties.builder().headers(sorted.isEmpty() ? null : sorted).build());
	}

	private static Map<String, @Nullable Object> sorted(Map<?, ?> table) {
		Map<String, @Nullable Object> sorted = new TreeMap<>();
		table.forEach((name, value) -> sorted.put(String.valueOf(name), ordered(value)));
		return sorted;
	}

	private static @Nullable Object ordered(@Nullable Object value) {
		if (value instanceof Map<?, ?> table) {
			return sorted(table);
		}
		return (value instanceof List<?> list) ? list.stream().map(AmqpPropertiesCodec::ordered).toList() : value;
	}

}
