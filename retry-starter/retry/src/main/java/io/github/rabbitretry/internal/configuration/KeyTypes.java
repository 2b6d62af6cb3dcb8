/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the type that a key is bound to.
 */
public final class KeyTypes {

	private KeyTypes() {
	}

	/**
	 * The type of a key.
	 * @param path the elements of the key, {@code rabbit-retry} not among them
	 * @return its type, or {@code null} if there is no such key
	 */
	public static @Nullable Type of(Iterable<String> path) {
		Type type = Sections.root();
		for (String element : path) {
			Type next = next(type, element);
			if (next == null) {
				return null;
			}
			type = next;
		}
		return type;
	}

	/**
	 * How many elements of a key are the key of a list.
	 * @param path the elements of the key, {@code rabbit-retry} not among them
	 * @return their number, or 0 if it is not in a list
	 */
	static int ofList(List<String> path) {
		for (int length = 1; length <= path.size(); length++) {
			if (of(path.subList(0, length)) instanceof ParameterizedType type && isCollection(type)) {
				return length;
			}
		}
		return 0;
	}

	private static @Nullable Type next(Type type, String element) {
		if (type instanceof Class<?> group && group.isRecord()) {
			return Arrays.stream(group.getRecordComponents())
				.filter((component) -> component.getName().equalsIgnoreCase(ConfiguredValue.uniform(element)))
				.map((component) -> (Sections.type(component) != null) ? Sections.type(component)
						: component.getGenericType())
				.findFirst()
				.orElse(null);
		}
		if (type instanceof ParameterizedType parameterized) {
			Type[] arguments = parameterized.getActualTypeArguments();
			return isCollection(parameterized) ? arguments[0] : arguments[arguments.length - 1];
		}
		return null;
	}

	private static boolean isCollection(ParameterizedType type) {
		return type.getRawType() instanceof Class<?> raw && Collection.class.isAssignableFrom(raw);
	}

}
