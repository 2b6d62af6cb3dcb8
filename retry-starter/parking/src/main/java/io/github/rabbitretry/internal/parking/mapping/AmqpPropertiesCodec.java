/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.github.rabbitretry.internal.message.BrokerHeaders;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
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
	 * A message with its properties.
	 * @param summary what is known of it
	 * @param properties its properties and headers
	 * @param body its body, if any is stored
	 * @return the message
	 */
	public static ParkedMessage message(ParkedSummary summary, BasicProperties properties, byte @Nullable [] body) {
		Date timestamp = properties.getTimestamp();
		return new ParkedMessage(summary,
				new ParkedMessage.Properties(properties.getContentType(), properties.getContentEncoding(),
						properties.getDeliveryMode(), properties.getPriority(), properties.getCorrelationId(),
						properties.getReplyTo(), properties.getExpiration(), properties.getMessageId(),
						(timestamp != null) ? timestamp.toInstant() : null, properties.getType(),
						properties.getUserId(), properties.getAppId(), properties.getClusterId()),
				(properties.getHeaders() != null) ? properties.getHeaders() : Map.of(), body);
	}

	/**
	 * The properties of a message, as the client has them.
	 * @param message the message
	 * @return its properties and headers
	 */
	public static BasicProperties properties(ParkedMessage message) {
		ParkedMessage.Properties properties = message.properties();
		Instant timestamp = properties.timestamp();
		return new BasicProperties.Builder().contentType(properties.contentType())
			.contentEncoding(properties.contentEncoding())
			.headers(message.headers().isEmpty() ? null : message.headers())
			.deliveryMode(properties.deliveryMode())
			.priority(properties.priority())
			.correlationId(properties.correlationId())
			.replyTo(properties.replyTo())
			.expiration(properties.expiration())
			.messageId(properties.messageId())
			.timestamp((timestamp != null) ? Date.from(timestamp) : null)
			.type(properties.type())
			.userId(properties.userId())
			.appId(properties.appId())
			.clusterId(properties.clusterId())
			.build();
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
