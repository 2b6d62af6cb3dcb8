/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.jspecify.annotations.Nullable;

/**
 * What of a message's properties can't be published, taken out and kept as data.
 *
 * @param rest the properties without it
 * @param moved what was taken out: tables with {@code property} or {@code header}, the
 * name, and {@code value}
 * @param dropped the names of what could not be kept either
 */
record UnpublishableProperties(BasicProperties rest, List<Map<String, Object>> moved, List<String> dropped) {

	private static final int NO_LIMIT = 0;

	/**
	 * Takes out what can't be published.
	 * @param received the properties as received
	 * @param room how many bytes may be kept as data
	 * @return what there is
	 */
	static UnpublishableProperties in(BasicProperties received, long room) {
		Moving moving = new Moving(room);
		BasicProperties.Builder rest = received.builder();
		rest.contentType(moving.property("content-type", received.getContentType()))
			.contentEncoding(moving.property("content-encoding", received.getContentEncoding()))
			.correlationId(moving.property("correlation-id", received.getCorrelationId()))
			.replyTo(moving.property("reply-to", received.getReplyTo()))
			.messageId(moving.property("message-id", received.getMessageId()))
			.type(moving.property("type", received.getType()))
			.appId(moving.property("app-id", received.getAppId()))
			.clusterId(moving.property("cluster-id", received.getClusterId()));
		if (received.getHeaders() != null) {
			rest.headers(moving.headers(received.getHeaders()));
		}
		return new UnpublishableProperties(rest.build(), moving.moved, moving.dropped);
	}

	private static boolean publishable(String name, @Nullable Object value) {
		Map<String, Object> one = new HashMap<>();
		one.put(name, value);
		return OutboundMessageCheck.problem(new BasicProperties.Builder().headers(one).build(), NO_LIMIT).isEmpty();
	}

	private static final class Moving {

		private final List<Map<String, Object>> moved = new ArrayList<>();

		private final List<String> dropped = new ArrayList<>();

		private long room;

		Moving(long room) {
			this.room = room;
		}

		private @Nullable String property(String name, @Nullable String value) {
			if (OutboundMessageCheck.fits(value) && !OutboundMessageCheck.DIRECT_REPLY_TO.equals(value)) {
				return value;
			}
			move("property", name, value);
			return null;
		}

		private Map<String, Object> headers(Map<String, Object> received) {
			Map<String, Object> headers = new HashMap<>();
			received.forEach((name, value) -> {
				if (publishable(name, value)) {
					headers.put(name, value);
				}
				else {
					move("header", name, value);
				}
			});
			return headers;
		}

		private void move(String kind, String name, @Nullable Object value) {
			Map<String, Object> entry = new LinkedHashMap<>();
			entry.put(kind, name);
			if (!HeaderDepth.exceeded(value)) {
				entry.put("value", encodable(value));
				long size = OutboundProperties.size("", entry);
				if (size <= this.room && publishable(AppHeaders.UNPUBLISHABLE, List.of(entry))) {
					this.room -= size;
					this.moved.add(entry);
					return;
				}
			}
			this.dropped.add(name);
		}

		/** A table with a name that is too long becomes a list of names and values. */
		private static @Nullable Object encodable(@Nullable Object value) {
			if (value instanceof Map<?, ?> table) {
				boolean fits = table.keySet()
					.stream()
					.allMatch((name) -> OutboundMessageCheck.fits(Objects.toString(name)));
				if (fits) {
					Map<String, Object> encodable = new LinkedHashMap<>();
					table.forEach((name, nested) -> encodable.put(Objects.toString(name), encodable(nested)));
					return encodable;
				}
				return table.entrySet().stream().map((entry) -> {
					List<@Nullable Object> pair = new ArrayList<>();
					pair.add(Objects.toString(entry.getKey()));
					pair.add(encodable(entry.getValue()));
					return pair;
				}).collect(Collectors.toCollection(ArrayList::new));
			}
			if (value instanceof List<?> list) {
				List<@Nullable Object> encodable = new ArrayList<>();
				list.forEach((nested) -> encodable.add(encodable(nested)));
				return encodable;
			}
			return value;
		}

	}

}
