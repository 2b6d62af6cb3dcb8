/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;

/**
 * What Spring AMQP's {@link RepublishMessageRecoverer} writes about a failure. The stack
 * trace is text: no class that a message names is ever loaded.
 *
 * @param exchange the exchange that the message was published to
 * @param routingKey the key that it was published with
 * @param exception the innermost exception's class, or {@code null} if there is none
 * @param message its text
 * @param frames its stack trace, the top first
 */
record RepublishedFailure(String exchange, String routingKey, @Nullable String exception, @Nullable String message,
		List<StackTraceElement> frames) {

	private static final Pattern FRAME = Pattern.compile("\\s*at (?:[^(]*/)?([^/(]+)\\.([^.(]+)\\(.*");

	private static final Pattern THROWN = Pattern.compile("(?:Caused by: )?([\\w.$]{1,500})(?:: (.*))?");

	/** The text of an exception that was made of another one only. */
	private static final Pattern OF_ANOTHER = Pattern
		.compile("(?s)((?:[a-z_]\\w{0,99}\\.){1,20}[\\w$]{0,200}(?:Exception|Error))(?:: (.*))?");

	/** The rest is that of the exception before. */
	private static final Pattern COMMON = Pattern.compile("\\s*\\.\\.\\. (\\d{1,6}) (?:more|common frames omitted)");

	static Optional<RepublishedFailure> of(Map<String, ?> headers) {
		String trace = text(headers, RepublishMessageRecoverer.X_EXCEPTION_STACKTRACE);
		String message = text(headers, RepublishMessageRecoverer.X_EXCEPTION_MESSAGE);
		String exchange = text(headers, RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE);
		String routingKey = text(headers, RepublishMessageRecoverer.X_ORIGINAL_ROUTING_KEY);
		// an exception may have no message, and its trace is left out by default
		if (trace == null && message == null && (exchange == null || routingKey == null)) {
			return Optional.empty();
		}
		String from = (exchange != null) ? exchange : "";
		String with = (routingKey != null) ? routingKey : "";
		return Optional.of((trace != null) ? innermost(trace, from, with, message) : withoutTrace(from, with, message));
	}

	private static RepublishedFailure withoutTrace(String exchange, String routingKey, @Nullable String message) {
		Matcher another = OF_ANOTHER.matcher((message != null) ? message : "");
		return another.matches()
				? new RepublishedFailure(exchange, routingKey, another.group(1), another.group(2), List.of())
				: new RepublishedFailure(exchange, routingKey, null, message, List.of());
	}

	private static RepublishedFailure innermost(String trace, String exchange, String routingKey,
			@Nullable String message) {
		String exception = null;
		String text = message;
		List<StackTraceElement> enclosing = List.of();
		List<StackTraceElement> frames = new ArrayList<>();
		for (String line : trace.lines().toList()) {
			Matcher thrown = THROWN.matcher(line);
			Matcher frame = FRAME.matcher(line);
			Matcher common = COMMON.matcher(line);
			if ((exception == null || line.startsWith("Caused by: ")) && isThrown(thrown)) {
				exception = thrown.group(1);
				text = (thrown.group(2) != null) ? thrown.group(2) : message;
				enclosing = frames;
				frames = new ArrayList<>();
			}
			else if (frame.matches()) {
				frames.add(new StackTraceElement(frame.group(1), frame.group(2), null, -1));
			}
			else if (common.matches()) {
				int count = Math.min(Integer.parseInt(common.group(1)), enclosing.size());
				frames.addAll(enclosing.subList(enclosing.size() - count, enclosing.size()));
			}
		}
		return new RepublishedFailure(exchange, routingKey, exception, text, List.copyOf(frames));
	}

	/** A line of one word is no class, unless it has a package or a text. */
	private static boolean isThrown(Matcher line) {
		return line.matches() && (line.group(1).indexOf('.') > 0 || line.group(2) != null);
	}

	@Nullable String fingerprint(String messageType) {
		return (this.exception != null) ? FailureFingerprint.of(this.exception, this.frames, messageType) : null;
	}

	private static @Nullable String text(Map<String, ?> headers, String name) {
		Object value = headers.get(name);
		return (value instanceof String || value instanceof LongString) ? value.toString() : null;
	}

}
