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
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An object of an answer, whose members may be of any type, or missing.
 *
 * @param members the members by name
 */
public record JsonRows(Map<?, ?> members) {

	private static final Pattern COMMA = Pattern.compile(",");

	/**
	 * The objects of a list.
	 * @param answer an answer of the management API
	 * @return the objects in it
	 * @throws ManagementUnavailableException if it is no list
	 */
	public static List<JsonRows> of(@Nullable Object answer) {
		if (!(answer instanceof List<?> entries)) {
			throw new ManagementUnavailableException("a list expected");
		}
		List<JsonRows> rows = new ArrayList<>(entries.size());
		entries.forEach((entry) -> {
			if (entry instanceof Map<?, ?> members) {
				rows.add(new JsonRows(members));
			}
		});
		return rows;
	}

	/**
	 * An object.
	 * @param answer an answer of the management API
	 * @return the object
	 * @throws ManagementUnavailableException if the answer is not an object
	 */
	public static JsonRows ofObject(@Nullable Object answer) {
		if (!(answer instanceof Map<?, ?> members)) {
			throw new ManagementUnavailableException("an object expected");
		}
		return new JsonRows(members);
	}

	public String text(String name) {
		return Objects.toString(this.members.get(name), "");
	}

	public @Nullable String textOrNull(String name) {
		Object value = this.members.get(name);
		return (value != null) ? value.toString() : null;
	}

	public boolean is(String name) {
		return Boolean.TRUE.equals(this.members.get(name));
	}

	public long number(String name) {
		return (this.members.get(name) instanceof Number number) ? number.longValue() : 0;
	}

	/** A number, or -1 if it is missing. */
	public long count(String name) {
		return (this.members.get(name) instanceof Number number) ? number.longValue() : -1;
	}

	/** A list of texts; some versions give one text with commas. */
	public List<String> texts(String name) {
		Object value = this.members.get(name);
		if (value instanceof List<?> list) {
			return list.stream().map(String::valueOf).toList();
		}
		return (value instanceof String text && !text.isBlank()) ? COMMA.splitAsStream(text).map(String::strip).toList()
				: List.of();
	}

	public JsonRows object(String name) {
		return new JsonRows((this.members.get(name) instanceof Map<?, ?> object) ? object : Map.of());
	}

	public Map<String, @Nullable Object> map(String name) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		object(name).members().forEach((key, value) -> map.put(String.valueOf(key), value));
		return map;
	}

}
