/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.internal.message.HeaderText;
import org.jspecify.annotations.Nullable;

/**
 * The headers in which producers send versions.
 *
 * @param schema the header with the schema version
 * @param producer the header with the producer's version
 */
public record VersionHeaderNames(String schema, String producer) {

	private static final int LONGEST = 64;

	List<PoisonIndicator> of(@Nullable Map<String, Object> headers) {
		List<PoisonIndicator> versions = new ArrayList<>(3);
		if (headers != null) {
			add(versions, PoisonSignal.Kind.SCHEMA_VERSION, headers.get(this.schema));
			add(versions, PoisonSignal.Kind.PRODUCER_VERSION, headers.get(this.producer));
		}
		return versions;
	}

	private static void add(List<PoisonIndicator> versions, PoisonSignal.Kind kind, @Nullable Object value) {
		if (value instanceof String || value instanceof LongString || value instanceof Number) {
			versions.add(new PoisonIndicator(kind, bounded(value.toString())));
		}
	}

	static String bounded(String value) {
		return HeaderText.bounded(value, LONGEST);
	}

}
