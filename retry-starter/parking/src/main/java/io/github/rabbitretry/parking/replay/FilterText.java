/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.rabbitretry.parking.message.ParkedFilter;
import org.jspecify.annotations.Nullable;

/**
 * A filter in words.
 */
final class FilterText {

	private FilterText() {
	}

	static String of(ParkedFilter filter) {
		return parts(filter).entrySet()
			.stream()
			.filter((part) -> part.getValue() != null)
			.map((part) -> part.getKey() + "=" + part.getValue())
			.collect(Collectors.joining(", "));
	}

	static void check(ParkedFilter filter) {
		parts(filter).forEach((name, value) -> {
			if (value != null) {
				InputValidation.bounded("filter's " + name, value, InputValidation.LONGEST_FILTER);
			}
		});
	}

	private static Map<String, @Nullable String> parts(ParkedFilter filter) {
		Map<String, @Nullable String> parts = new LinkedHashMap<>();
		parts.put("queue", filter.queue());
		parts.put("messageType", filter.messageType());
		parts.put("reason", filter.reason());
		parts.put("failureClass", filter.failureClass());
		parts.put("fingerprint", filter.fingerprint());
		parts.put("cause", filter.cause());
		parts.put("owner", filter.owner());
		parts.put("handlerVersion", filter.handlerVersion());
		parts.put("schemaVersion", filter.schemaVersion());
		parts.put("correlationId", filter.correlationId());
		parts.put("aggregateId", filter.aggregateId());
		parts.put("messageId", filter.messageId());
		parts.put("replayId", filter.replayId());
		parts.put("payload", Objects.toString(filter.payload(), null));
		parts.put("parkedFrom", Objects.toString(filter.parkedFrom(), null));
		parts.put("parkedBefore", Objects.toString(filter.parkedBefore(), null));
		parts.put("text", filter.text());
		return parts;
	}

}
