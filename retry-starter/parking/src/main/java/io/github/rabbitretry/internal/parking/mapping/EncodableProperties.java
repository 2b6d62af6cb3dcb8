/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import org.jspecify.annotations.Nullable;

/**
 * Received properties made fit to be written again. A text that is not UTF-8 is longer
 * after it was read: three bytes for each that could not be read. What does not fit any
 * more is cut, and stands as a whole in the header {@value #UNREADABLE}.
 *
 * @param properties the properties
 * @param complete whether they are as they were received
 */
record EncodableProperties(BasicProperties properties, boolean complete) {

	/** A table of the texts that had to be cut, by the property's name. */
	static final String UNREADABLE = "x-app-unreadable";

	private static final int LONGEST_NAME = 200;

	/** Deeper tables are left out. */
	private static final int DEEPEST = 32;

	static EncodableProperties of(BasicProperties received) {
		if (encodable(received)) {
			return new EncodableProperties(received, true);
		}
		Map<String, Object> cut = new LinkedHashMap<>();
		BasicProperties fitting = fitting(received, cut);
		Map<String, @Nullable Object> headers = (received.getHeaders() != null) ? fitting(received.getHeaders(), cut, 0)
				: new HashMap<>();
		headers.put(UNREADABLE, cut);
		BasicProperties whole = fitting.builder().headers(headers).build();
		return new EncodableProperties(encodable(whole) ? whole : fitting, false);
	}

	private static boolean encodable(BasicProperties properties) {
		if (HeaderDepth.exceededIn(properties.getHeaders())) {
			return false;
		}
		try {
			AmqpPropertiesCodec.canonical(properties);
			AmqpPropertiesCodec.encode(properties);
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** Without headers. */
	private static BasicProperties fitting(BasicProperties received, Map<String, Object> cut) {
		return received.builder()
			.headers(null)
			.contentType(fitting("content-type", received.getContentType(), cut))
			.contentEncoding(fitting("content-encoding", received.getContentEncoding(), cut))
			.correlationId(fitting("correlation-id", received.getCorrelationId(), cut))
			.replyTo(fitting("reply-to", received.getReplyTo(), cut))
			.expiration(fitting("expiration", received.getExpiration(), cut))
			.messageId(fitting("message-id", received.getMessageId(), cut))
			.type(fitting("type", received.getType(), cut))
			.userId(fitting("user-id", received.getUserId(), cut))
			.appId(fitting("app-id", received.getAppId(), cut))
			.clusterId(fitting("cluster-id", received.getClusterId(), cut))
			.build();
	}

	private static @Nullable String fitting(String name, @Nullable String text, Map<String, Object> cut) {
		if (text == null || OutboundMessageCheck.fits(text)) {
			return text;
		}
		cut.put(name, LongStringHelper.asLongString(text));
		return HeaderText.bounded(text, OutboundMessageCheck.LONGEST_SHORT_STRING);
	}

	private static Map<String, @Nullable Object> fitting(Map<?, ?> table, Map<String, Object> cut, int depth) {
		Map<String, @Nullable Object> fitting = new HashMap<>();
		table.forEach((key, value) -> {
			String name = String.valueOf(key);
			if (!OutboundMessageCheck.fits(name)) {
				String number = "header-" + cut.size();
				cut.put(number, LongStringHelper.asLongString(name));
				name = HeaderText.bounded(name, LONGEST_NAME) + " " + number;
			}
			Map<String, @Nullable Object> alone = new HashMap<>();
			alone.put("value", value);
			if (encodable(new BasicProperties.Builder().headers(alone).build())) {
				fitting.put(name, value);
			}
			else if (value instanceof Map<?, ?> nested && depth < DEEPEST && !HeaderDepth.exceeded(nested)) {
				fitting.put(name, fitting(nested, cut, depth + 1));
			}
			else {
				cut.put("value-" + cut.size(), LongStringHelper.asLongString("the value of header " + name));
			}
		});
		return fitting;
	}

}
