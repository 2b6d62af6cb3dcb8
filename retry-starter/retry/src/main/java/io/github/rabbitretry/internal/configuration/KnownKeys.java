/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The keys that there are, read from the records that they are bound to.
 */
public final class KnownKeys {

	private KnownKeys() {
	}

	/**
	 * Finds where a key leaves what is known.
	 * @param path the whole key in its elements, {@code rabbit-retry} not among them
	 * @return its first element that is not known, and what there is instead
	 */
	public static Place unknown(List<String> path) {
		return unknown(Sections.root(), path);
	}

	/**
	 * Finds where a key leaves what is known.
	 * @param root the record that the first element is a key of
	 * @param path the key in its elements
	 * @return its first element that is not known, and what there is instead
	 */
	public static Place unknown(Class<?> root, List<String> path) {
		Class<?> type = root;
		@Nullable Class<?> elements = null;
		for (String element : path) {
			if (elements != null) {
				// an index, or a message type
				type = elements;
				elements = null;
				continue;
			}
			RecordComponent component = component(type, element);
			@Nullable Class<?> section = (component != null) ? Sections.type(component) : null;
			if (section != null) {
				type = section;
				continue;
			}
			@Nullable Class<?> next = (component != null) ? record(component.getGenericType()) : null;
			if (component == null || next == null) {
				return new Place(element, keys(type));
			}
			if (component.getType().isRecord()) {
				type = next;
			}
			else {
				elements = next;
			}
		}
		return new Place(path.get(path.size() - 1), keys(type));
	}

	/**
	 * Whether a key is one of a record's.
	 * @param type the record
	 * @param key the key, however it is spelt
	 * @return {@code false} if it has no such component
	 */
	public static boolean knows(Class<?> type, String key) {
		return component(type, key) != null;
	}

	/**
	 * The keys that a record is bound to.
	 * @param type the record
	 * @return its keys in kebab case, in alphabetical order
	 */
	public static List<String> keys(Class<?> type) {
		return Arrays.stream(type.getRecordComponents())
			.map((component) -> kebab(component.getName()))
			.sorted()
			.toList();
	}

	private static @Nullable RecordComponent component(Class<?> type, String element) {
		return Arrays.stream(type.getRecordComponents())
			.filter((component) -> component.getName().equalsIgnoreCase(element.replace("-", "")))
			.findFirst()
			.orElse(null);
	}

	/** The record that a component is, or a list or map of. */
	private static @Nullable Class<?> record(Type type) {
		if (type instanceof Class<?> itself) {
			return itself.isRecord() ? itself : null;
		}
		if (type instanceof ParameterizedType parameterized) {
			boolean map = Map.class.equals(parameterized.getRawType());
			return record(parameterized.getActualTypeArguments()[map ? 1 : 0]);
		}
		return null;
	}

	private static String kebab(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	/**
	 * Finds what was probably meant.
	 * @param text what is written
	 * @param candidates what could be
	 * @return the candidate most like it, or empty if none is much like it
	 */
	public static Optional<String> likeliest(String text, Collection<String> candidates) {
		return candidates.stream()
			.min(Comparator.comparingInt((candidate) -> distance(text, candidate)))
			.filter((candidate) -> distance(text, candidate) <= Math.max(2, text.length() / 3));
	}

	/** Levenshtein's. */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		Arrays.setAll(row, (column) -> column);
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = diagonal + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[other.length()];
	}

	/**
	 * Where a key leaves what is known.
	 *
	 * @param key the element that is not known
	 * @param known the keys that could stand there, in alphabetical order
	 */
	public record Place(String key, List<String> known) {

		/**
		 * The key that was probably meant.
		 * @return the known one most like it, or empty if none is much like it
		 */
		public Optional<String> meant() {
			return likeliest(this.key, this.known);
		}

	}

}
