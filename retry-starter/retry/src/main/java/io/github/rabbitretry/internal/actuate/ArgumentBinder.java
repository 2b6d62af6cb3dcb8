/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.FromStringDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

import org.springframework.boot.convert.DurationStyle;

/**
 * Binds arguments to records. A {@code String} is a text of at most 255 characters
 * without control characters, a {@code CharSequence} any text; an empty text is none.
 */
final class ArgumentBinder {

	/** No column holds more. */
	private static final int LONGEST_TEXT = 255;

	private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
		.enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
		.withCoercionConfig(LogicalType.Boolean,
				(coercion) -> coercion.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
		.addModule(new SimpleModule()
			.addDeserializer(Duration.class, new Parser<>(Duration.class, ArgumentBinder::duration))
			.addDeserializer(Instant.class, new Parser<>(Instant.class, ArgumentBinder::instant)))
		.build();

	private ArgumentBinder() {
	}

	static <R extends Record> R bind(Map<String, Object> arguments, Class<R> type) {
		Map<String, Class<?>> supported = new TreeMap<>();
		Map<String, @Nullable Object> values = values(arguments, type, supported);
		arguments.keySet()
			.stream()
			.filter((name) -> !supported.containsKey(name) && !supported.containsKey(prefix(name)))
			.sorted()
			.findFirst()
			.ifPresent((name) -> {
				throw EndpointException.invalid("Unknown argument '%s'. Supported: %s."
					.formatted((name.length() > 40) ? name.substring(0, 40) + "..." : name, supported.keySet()));
			});
		try {
			return MAPPER.convertValue(values, type);
		}
		catch (JacksonException ex) {
			List<JacksonException.Reference> path = ex.getPath();
			String name = path.isEmpty() ? null : path.get(path.size() - 1).getPropertyName();
			throw EndpointException.invalid(((name != null) && supported.containsKey(name))
					? "'%s' %s.".formatted(name, expected(supported.get(name))) : "The arguments can't be read.");
		}
	}

	private static String prefix(String name) {
		return name.substring(0, name.indexOf('.') + 1) + "*";
	}

	private static Map<String, @Nullable Object> values(Map<String, Object> arguments, Class<?> type,
			Map<String, Class<?>> supported) {
		Map<String, @Nullable Object> values = new HashMap<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = component.getName();
			if (component.getType().isRecord()) {
				values.put(name, values(arguments, component.getType(), supported));
			}
			else if (component.getType() == Map.class) {
				supported.put(name + ".*", Map.class);
				Map<String, @Nullable Object> entries = new TreeMap<>();
				arguments.keySet()
					.stream()
					.filter((key) -> key.startsWith(name + ".") && arguments.get(key) != null)
					.forEach((key) -> entries.put(key.substring(name.length() + 1), single(key, arguments.get(key))));
				values.put(name, entries);
			}
			else {
				supported.put(name, component.getType());
				Object value = single(name, arguments.get(name));
				if (component.getType() != CharSequence.class && value instanceof String text) {
					check(name, text, component.getType());
					value = text.isEmpty() ? null : value;
				}
				values.put(name, value);
			}
		}
		return values;
	}

	private static @Nullable Object single(String name, @Nullable Object value) {
		if (value instanceof Collection<?>) {
			throw EndpointException.invalid("'%s' is given more than once. Give it once.".formatted(name));
		}
		return value;
	}

	private static void check(String name, String text, Class<?> type) {
		if (type != byte[].class && text.length() > LONGEST_TEXT) {
			throw EndpointException
				.invalid("'%s' has %s characters. It may have %s.".formatted(name, text.length(), LONGEST_TEXT));
		}
		if (text.codePoints().anyMatch(Character::isISOControl)) {
			throw EndpointException.invalid("'%s' has control characters. Leave them out.".formatted(name));
		}
	}

	private static String expected(Class<?> type) {
		if (type.isEnum()) {
			return "must be one of " + List.of(type.getEnumConstants());
		}
		return switch (type.getSimpleName()) {
			case "Long", "Integer" -> "is not a whole number";
			case "Double" -> "is no number";
			case "boolean" -> "is no boolean, true or false";
			case "Instant" -> "is no instant as 2026-07-01T12:00:00Z, from 0001 to 9999";
			case "Duration" -> "must be a time as 30s, 10m or 2h";
			case "byte[]" -> "is no base64";
			default -> "is no text";
		};
	}

	private static Instant instant(String text) {
		Instant instant = OffsetDateTime.parse(text).toInstant();
		// databases know fewer years than Java does
		if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
			throw new IllegalArgumentException(text);
		}
		return instant;
	}

	/** A number without a unit is refused: few who write 10 mean milliseconds. */
	private static Duration duration(String text) {
		Duration duration = DurationStyle.detectAndParse(text);
		if (!duration.isZero() && NUMBER.matcher(text).matches()) {
			throw new IllegalArgumentException(text);
		}
		return duration;
	}

	private static final class Parser<T> extends FromStringDeserializer<T> {

		private final transient Function<String, T> parser;

		Parser(Class<T> type, Function<String, T> parser) {
			super(type);
			this.parser = parser;
		}

		@Override
		protected T _deserialize(String text, DeserializationContext context) {
			try {
				return this.parser.apply(text.trim());
			}
			catch (RuntimeException ex) {
				throw context.weirdStringException(text, handledType(), "unreadable");
			}
		}

	}

}
