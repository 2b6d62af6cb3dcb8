/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.HexFormat;
import java.util.Map;

import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * What messages have in common that are handled one after the other.
 */
public final class OrderingKey {

	private static final String HEADER = "header:";

	private static final String ROUTING_KEY = "routing-key";

	private static final EvaluationContext CONTEXT = SimpleEvaluationContext
		.forPropertyAccessors(new MapAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess())
		.withInstanceMethods()
		.build();

	private final Reader reader;

	private OrderingKey(Reader reader) {
		this.reader = reader;
	}

	/**
	 * Reads what a policy says.
	 * @param text {@code header:NAME}, {@code routing-key} or a SpEL expression on
	 * {@code headers} and {@code routingKey}; {@code null} for one key that all messages
	 * have
	 * @return the key
	 * @throws ParseException if it is no expression
	 * @throws IllegalArgumentException if the header has no name
	 */
	public static OrderingKey parse(@Nullable String text) {
		if (text == null) {
			return new OrderingKey((headers, routingKey) -> "");
		}
		if (text.equals(ROUTING_KEY)) {
			return new OrderingKey((headers, routingKey) -> routingKey);
		}
		if (text.startsWith(HEADER)) {
			String name = text.substring(HEADER.length()).trim();
			if (name.isEmpty()) {
				throw new IllegalArgumentException("the header has no name");
			}
			return new OrderingKey((headers, routingKey) -> headers.get(name));
		}
		Expression expression = new SpelExpressionParser().parseExpression(text);
		return new OrderingKey((headers, routingKey) -> expression.getValue(CONTEXT,
				Map.of("headers", headers, "routingKey", routingKey)));
	}

	/**
	 * The key of a message.
	 * @param headers its headers
	 * @param routingKey the key that it was published with
	 * @return its key, or {@code null} if it has none, or none that can be compared
	 */
	public @Nullable String of(Map<String, Object> headers, String routingKey) {
		try {
			return text(this.reader.read(headers, routingKey));
		}
		catch (RuntimeException | StackOverflowError ex) {
			// a header that is missing, or not what the expression takes it for: SpEL
			// throws what a method throws
			return null;
		}
	}

	private static @Nullable String text(@Nullable Object key) {
		if (key instanceof byte[] bytes) {
			return HexFormat.of().formatHex(bytes);
		}
		boolean comparable = key instanceof CharSequence || key instanceof LongString || key instanceof Number
				|| key instanceof Boolean || key instanceof Character;
		return comparable ? key.toString() : null;
	}

	private interface Reader {

		@Nullable Object read(Map<String, Object> headers, String routingKey);

	}

}
