/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Finds out the dead-letter exchange that a queue was declared with, over AMQP, which has
 * no way to ask for it: by declarations that RabbitMQ refuses, each time with the first
 * property in which the queue differs. None of them can create a queue, since all have an
 * argument that only streams may have. Permission to configure the queue is needed.
 */
public final class QueueArgumentProbe {

	private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";

	/** Not a name that an application would give an exchange. */
	private static final String NOBODYS = "rabbit-retry.nobodys";

	/** Properties that are compared before the dead-letter exchange, and some more. */
	private static final int MOST_ATTEMPTS = 12;

	private static final Pattern CURRENT = Pattern.compile(
			"inequivalent arg '([^']+)' for .* but current is (?:the value )?(?:'(.*?)'|none)(?: of type '(\\w+)')?(?:, class-id=.*)?$");

	private final Connection connection;

	/**
	 * Creates a probe.
	 * @param connection to the broker
	 */
	public QueueArgumentProbe(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Asks for a queue's dead-letter exchange.
	 * @param queue the queue's name
	 * @return the name, empty text if the queue was declared without one; or nothing if
	 * that can't be found out
	 */
	public Optional<String> deadLetterExchange(String queue) {
		Properties properties = new Properties();
		try (DeclaringChannel channel = new DeclaringChannel(this.connection)) {
			for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
				Optional<DeclaringChannel.Refusal> refusal = channel.attempt((open) -> open.queueDeclare(queue,
						properties.durable, properties.exclusive, properties.autoDelete, properties.arguments));
				if (refusal.isEmpty() || refusal.get().code() != AMQP.PRECONDITION_FAILED) {
					return Optional.empty();
				}
				Matcher current = CURRENT.matcher(refusal.get().text());
				if (!current.find()) {
					return Optional.empty();
				}
				if (current.group(1).equals(DEAD_LETTER_EXCHANGE)) {
					return Optional.of((current.group(2) != null) ? current.group(2) : "");
				}
				properties.set(current.group(1), current.group(2), value(current));
			}
			return Optional.empty();
		}
	}

	/** The value of an argument, or nothing if the queue does not have it. */
	private static @Nullable Object value(Matcher current) {
		String value = current.group(2);
		boolean number = value != null && !"longstr".equals(current.group(3)) && value.matches("-?\\d{1,18}");
		return number ? (Object) Long.valueOf(value) : value;
	}

	/** What the queue was declared with, as far as that is known. */
	private static final class Properties {

		private final Map<String, Object> arguments = new HashMap<>(
				Map.of("x-max-age", "1s", DEAD_LETTER_EXCHANGE, NOBODYS));

		private boolean durable = true;

		private boolean exclusive;

		private boolean autoDelete;

		void set(String name, @Nullable String text, @Nullable Object value) {
			boolean is = "true".equals(text);
			switch (name) {
				case "durable" -> this.durable = is;
				case "exclusive" -> this.exclusive = is;
				case "auto_delete" -> this.autoDelete = is;
				default -> {
					if (value == null) {
						this.arguments.remove(name);
					}
					else {
						this.arguments.put(name, value);
					}
				}
			}
		}

	}

}
