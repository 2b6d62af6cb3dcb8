/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import com.rabbitmq.client.LongString;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
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
		.withAssignmentDisabled()
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
	 * @throws IllegalArgumentException if the header has no name, or the expression can't
	 * give a key for any message
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
		SpelExpression expression = new SpelExpressionParser().parseRaw(text);
		verify(expression);
		return new OrderingKey((headers, routingKey) -> value(expression, headers, routingKey));
	}

	private static @Nullable Object value(Expression expression, Map<String, Object> headers, String routingKey) {
		return expression.getValue(CONTEXT, Map.of("headers", headers, "routingKey", routingKey));
	}

	/**
	 * With a message that has every header, as a text. What fails with a text may do with
	 * what a message really has.
	 */
	private static void verify(SpelExpression expression) {
		OrderingKeyCheck.check(expression);
		Object key;
		try {
			key = value(expression, new AllHeaders(), "text");
		}
		catch (RuntimeException | StackOverflowError ex) {
			return;
		}
		if (key != null && text(key) == null) {
			throw new IllegalArgumentException("it gives no text or number, but a " + key.getClass().getSimpleName());
		}
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

	/** A header of any name. */
	private static final class AllHeaders extends HashMap<String, Object> {

		@Override
		public boolean containsKey(Object name) {
			return true;
		}

		@Override
		public Object get(Object name) {
			return "text";
		}

	}

}
