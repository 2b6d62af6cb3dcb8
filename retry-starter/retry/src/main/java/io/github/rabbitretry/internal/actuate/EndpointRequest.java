/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.security.Principal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.convert.DurationStyle;

/**
 * What a request says. Values are checked as they are read, and {@link #done()} refuses
 * what nobody read: a filter with a typing error would be no filter.
 */
public final class EndpointRequest {

	/** No column holds more. */
	private static final int LONGEST_TEXT = 255;

	private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

	private final Map<String, Object> arguments;

	private final SecurityContext security;

	private final Set<String> read = new HashSet<>();

	/**
	 * Creates a request.
	 * @param arguments what it says
	 * @param security who asks
	 */
	public EndpointRequest(Map<String, Object> arguments, SecurityContext security) {
		this.arguments = arguments;
		this.security = security;
	}

	/**
	 * Who asks, as the actuator knows them.
	 * @return them
	 */
	public SecurityContext security() {
		return this.security;
	}

	/**
	 * A text of any length, not checked.
	 * @param name its name
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String raw(String name) {
		this.read.add(name);
		Object value = this.arguments.get(name);
		if (value instanceof Collection<?>) {
			throw EndpointException.invalid("'%s' is given more than once. Give it once.".formatted(name));
		}
		return (value != null) ? value.toString() : null;
	}

	/**
	 * A text of at most 255 characters without control characters.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public @Nullable String text(String name) {
		String text = raw(name);
		if (text == null || text.isEmpty()) {
			return null;
		}
		if (text.length() > LONGEST_TEXT) {
			throw EndpointException
				.invalid("'%s' has %d characters. It may have %d.".formatted(name, text.length(), LONGEST_TEXT));
		}
		if (text.codePoints().anyMatch(Character::isISOControl)) {
			throw EndpointException.invalid("'%s' has control characters. Leave them out.".formatted(name));
		}
		return text;
	}

	/**
	 * A text that must be there.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public String required(String name) {
		String text = text(name);
		if (text == null || text.isBlank()) {
			throw EndpointException.invalid("'%s' is missing.".formatted(name));
		}
		return text;
	}

	private <T> @Nullable T value(String name, String what, Function<String, T> parser) {
		String text = text(name);
		if (text == null) {
			return null;
		}
		try {
			return parser.apply(text.trim());
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw EndpointException.invalid("'%s' is no %s.".formatted(name, what));
		}
	}

	/**
	 * A whole number.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public @Nullable Long number(String name) {
		return value(name, "whole number", Long::valueOf);
	}

	/**
	 * A whole number within bounds.
	 * @param name the argument's name
	 * @param least the least
	 * @param most the most
	 * @param otherwise what counts if it is not there
	 * @return it, or what stands for none
	 */
	public long number(String name, long least, long most, long otherwise) {
		Long number = number(name);
		if (number == null) {
			return otherwise;
		}
		if (number < least || number > most) {
			throw EndpointException
				.invalid("'%s' is %d. It must be from %d to %d.".formatted(name, number, least, most));
		}
		return number;
	}

	/**
	 * A number.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public @Nullable Double decimal(String name) {
		Double decimal = value(name, "number", Double::valueOf);
		if (decimal != null && !Double.isFinite(decimal)) {
			throw EndpointException.invalid("'%s' is no number.".formatted(name));
		}
		return decimal;
	}

	/**
	 * A boolean.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public boolean flag(String name) {
		return Boolean.TRUE.equals(value(name, "boolean, true or false", (text) -> switch (text) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException();
		}));
	}

	/**
	 * An instant.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public @Nullable Instant instant(String name) {
		return value(name, "instant as 2026-07-01T12:00:00Z, from 0001 to 9999", (text) -> {
			Instant instant = OffsetDateTime.parse(text).toInstant();
			// databases know fewer years than Java does
			if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
				throw new IllegalArgumentException();
			}
			return instant;
		});
	}

	/**
	 * A duration. A number without a unit is none, unless it is 0: who writes 10 rarely
	 * means milliseconds.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public @Nullable Duration duration(String name) {
		String text = text(name);
		if (text == null) {
			return null;
		}
		try {
			Duration duration = DurationStyle.detectAndParse(text.trim());
			if (duration.isZero() || !NUMBER.matcher(text.trim()).matches()) {
				return duration;
			}
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			// said below
		}
		throw EndpointException.invalid("'%s' must be a time as 30s, 10m or 2h.".formatted(name));
	}

	/**
	 * A constant.
	 * @param <E> its type
	 * @param name the argument's name
	 * @param type its type
	 * @return it, or {@code null} if there is none
	 */
	public <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
		return value(name, "one of " + List.of(type.getEnumConstants()),
				(text) -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')));
	}

	/**
	 * Whole numbers, separated by commas.
	 * @param name the argument's name
	 * @return it, or what stands for none
	 */
	public List<Long> numbers(String name) {
		String text = raw(name);
		List<Long> numbers = new ArrayList<>();
		if (text != null && !text.isBlank()) {
			for (String part : text.split(",", -1)) {
				try {
					numbers.add(Long.valueOf(part.trim()));
				}
				catch (NumberFormatException ex) {
					throw EndpointException.invalid("'%s' is no list of numbers as 17,18,19.".formatted(name));
				}
			}
		}
		return numbers;
	}

	/**
	 * All texts whose names begin alike, not checked.
	 * @param prefix what the names begin with
	 * @return the texts by the rest of their names
	 */
	public Map<String, String> prefixed(String prefix) {
		Map<String, String> texts = new TreeMap<>();
		for (String name : this.arguments.keySet()) {
			String text = name.startsWith(prefix) ? raw(name) : null;
			if (text != null) {
				texts.put(name.substring(prefix.length()), text);
			}
		}
		return texts;
	}

	/**
	 * Who asks for it. Who has logged in does not need to say who, and can't say somebody
	 * else.
	 * @return the name
	 */
	public String user() {
		Principal principal = loggedIn();
		String said = text("user");
		if (principal == null) {
			return required("user");
		}
		if (said != null && !said.equals(principal.getName())) {
			throw EndpointException.invalid("'user' is not who has logged in. Leave it out.");
		}
		return principal.getName();
	}

	/** Where Spring Security gives a name to everybody, it is nobody's. */
	private @Nullable Principal loggedIn() {
		Principal principal = this.security.getPrincipal();
		return (principal == null || principal.getClass().getName().equals(ANONYMOUS)) ? null : principal;
	}

	/**
	 * Ends the reading. To be called before anything is done.
	 */
	public void done() {
		Set<String> unknown = new TreeSet<>(this.arguments.keySet());
		unknown.removeAll(this.read);
		if (!unknown.isEmpty()) {
			String first = unknown.iterator().next();
			throw EndpointException.invalid("Unknown argument '%s'. Supported: %s."
				.formatted((first.length() > 40) ? first.substring(0, 40) + "..." : first, new TreeSet<>(this.read)));
		}
	}

}
