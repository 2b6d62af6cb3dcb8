/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The values of headers that a producer wrote, which Spring Messaging quotes in the texts
 * of its exceptions.
 */
final class HeaderTexts {

	/** Of RabbitMQ, of Spring AMQP and ours; the types are those of classes. */
	private static final Pattern NO_DATA = Pattern
		.compile("(?i)x-app-.*|x-replay.*|x-original-.*|x-exception-.*|x-(first-|last-)?death.*|x-delivery-count"
				+ "|x-acquired-count|x-opt-.*|__.*|spring.*|traceparent|tracestate|b3");

	private static final int DEEPEST = 8;

	private HeaderTexts() {
	}

	static String of(ReceivedMessage received) {
		StringBuilder values = new StringBuilder();
		received.headers().forEach((name, value) -> {
			if (!NO_DATA.matcher(name).matches()) {
				add(values, value, 0);
			}
		});
		return EscapedText.decode(values.toString());
	}

	private static void add(StringBuilder values, @Nullable Object value, int depth) {
		if (value instanceof Map<?, ?> map && depth < DEEPEST) {
			map.values().forEach((each) -> add(values, each, depth + 1));
		}
		else if (value instanceof Collection<?> list && depth < DEEPEST) {
			list.forEach((each) -> add(values, each, depth + 1));
		}
		else if (value instanceof CharSequence || value instanceof LongString || value instanceof Number) {
			values.append('\n').append(value);
		}
	}

}
