/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The JSON of the management API. Objects are read as maps, arrays as lists, members that
 * are whole numbers as longs, or as doubles where those are too small.
 */
public final class Json {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.addModule(new SimpleModule().addAbstractTypeMapping(Map.class, FirstOfEachName.class))
		.build();

	private Json() {
	}

	/**
	 * Reads a value.
	 * @param text the text of one value
	 * @return the value
	 * @throws IllegalArgumentException if the text is no JSON
	 */
	public static @Nullable Object read(String text) {
		try {
			return MAPPER.readValue(text, Object.class);
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("not JSON: " + ex.getOriginalMessage(), ex);
		}
	}

	/**
	 * Writes a value.
	 * @param value what {@link #read} gives
	 * @return its text, on one line
	 */
	public static String write(@Nullable Object value) {
		return MAPPER.writeValueAsString(value);
	}

	/**
	 * RabbitMQ (4.0 to 4.3) gives members of a queue that is down twice: first what it
	 * found, and then what it would be.
	 */
	static final class FirstOfEachName extends LinkedHashMap<String, @Nullable Object> {

		@Override
		public @Nullable Object put(String name, @Nullable Object value) {
			return containsKey(name) ? get(name) : super.put(name, number(value));
		}

		/** RabbitMQ accepts policies with whole numbers of any size. */
		private static @Nullable Object number(@Nullable Object value) {
			if (value instanceof BigInteger large) {
				return large.doubleValue();
			}
			return (value instanceof Integer small) ? Long.valueOf(small) : value;
		}

	}

}
