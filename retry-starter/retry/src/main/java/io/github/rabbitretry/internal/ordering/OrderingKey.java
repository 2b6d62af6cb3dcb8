/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

/**
 * What messages have in common that are handled one after the other.
 */
public final class OrderingKey {

	private static final String HEADER = "header:";

	private static final String ROUTING_KEY = "routing-key";

	private final BiFunction<Map<String, Object>, String, @Nullable Object> reader;

	private OrderingKey(BiFunction<Map<String, Object>, String, @Nullable Object> reader) {
		this.reader = reader;
	}

	/** One key that all messages have. */
	static OrderingKey same() {
		return new OrderingKey((headers, routingKey) -> "");
	}

	/**
	 * Reads what a policy says.
	 * @param text {@code header:<name>} or {@code routing-key}
	 * @return the key, or empty if it is neither
	 */
	public static Optional<OrderingKey> parse(String text) {
		if (text.equals(ROUTING_KEY)) {
			return Optional.of(new OrderingKey((headers, routingKey) -> routingKey));
		}
		String name = text.startsWith(HEADER) ? text.substring(HEADER.length()).trim() : "";
		return name.isEmpty() ? Optional.empty()
				: Optional.of(new OrderingKey((headers, routingKey) -> headers.get(name)));
	}

	/**
	 * The key of a message.
	 * @param headers its headers
	 * @param routingKey the key that it was published with
	 * @return its key, or {@code null} if it has none, or none that can be compared
	 */
	public @Nullable String of(Map<String, Object> headers, String routingKey) {
		Object key = this.reader.apply(headers, routingKey);
		if (key instanceof byte[] bytes) {
			return HexFormat.of().formatHex(bytes);
		}
		boolean comparable = key instanceof CharSequence || key instanceof LongString || key instanceof Number
				|| key instanceof Boolean || key instanceof Character;
		return comparable ? key.toString() : null;
	}

}
