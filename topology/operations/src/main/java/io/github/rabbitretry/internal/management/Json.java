/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of the management API. Objects are read as maps, arrays as lists, members that
 * are whole numbers as longs, or as doubles where those are too small.
 */
public final class Json {

	/** Binding to types would load 500 more classes while a service starts. */
	private static final JsonFactory FACTORY = new JsonFactory();

	private Json() {
	}

	/**
	 * Reads a value.
	 * @param text the text of one value
	 * @return the value
	 * @throws IllegalArgumentException if the text is no JSON
	 */
	public static @Nullable Object read(String text) {
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
			Object value = value(parser, parser.nextToken());
			if (parser.nextToken() != null) {
				throw new IllegalArgumentException("not JSON: more than one value");
			}
			return value;
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("not JSON: " + ex.getOriginalMessage(), ex);
		}
	}

	/** The depth is bounded by the parser. */
	private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) {
		return switch (Objects.requireNonNullElse(token, JsonToken.NOT_AVAILABLE)) {
			case START_OBJECT -> object(parser);
			case START_ARRAY -> array(parser);
			case VALUE_STRING -> parser.getString();
			case VALUE_NUMBER_INT -> whole(parser);
			case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
			case VALUE_TRUE -> true;
			case VALUE_FALSE -> false;
			case VALUE_NULL -> null;
			default -> throw new IllegalArgumentException("not JSON: no value");
		};
	}

	/** RabbitMQ accepts policies with whole numbers of any size. */
	private static Number whole(JsonParser parser) {
		if (parser.getNumberType() == NumberType.BIG_INTEGER) {
			return parser.getDoubleValue();
		}
		return parser.getLongValue();
	}

	/**
	 * RabbitMQ (4.0 to 4.3) gives members of a queue that is down twice: first what it
	 * found, and then what it would be.
	 */
	private static Map<String, @Nullable Object> object(JsonParser parser) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			Object value = value(parser, parser.nextToken());
			if (!members.containsKey(name)) {
				members.put(name, value);
			}
		}
		return members;
	}

	private static List<@Nullable Object> array(JsonParser parser) {
		List<@Nullable Object> elements = new ArrayList<>();
		for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
			elements.add(value(parser, next));
		}
		return elements;
	}

	/**
	 * Writes a value.
	 * @param value what {@link #read} gives
	 * @return its text, on one line
	 */
	public static String write(@Nullable Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
