/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Reads a property that exceptions of many libraries have under one of a few names. Which
 * of them a class has is found out once. The library may not be there to compile against;
 * whatever can't be read is empty: a failure must be classified even by an unforeseen
 * version of a library.
 */
final class StatusExtractor {

	/** Spring, Apache, AWS, Feign, JAX-RS, Retrofit. */
	static final StatusExtractor HTTP = new StatusExtractor("getStatusCode.value", "getStatusCode", "statusCode",
			"status", "getResponse.getStatus", "response.code");

	/** JDBC and Hibernate, R2DBC, jOOQ. */
	static final StatusExtractor SQL = new StatusExtractor("getSQLState", "getSqlState", "sqlState");

	private final ClassValue<String[][]> byType;

	private StatusExtractor(String... paths) {
		String[][] all = Stream.of(paths).map((path) -> path.split("\\.")).toArray(String[][]::new);
		this.byType = new ClassValue<>() {

			@Override
			protected String[][] computeValue(Class<?> type) {
				return Stream.of(all).filter((path) -> has(type, path[0])).toArray(String[][]::new);
			}

		};
	}

	<T> Stream<T> of(Throwable failure, Class<T> type) {
		return Arrays.stream(this.byType.get(failure.getClass()))
			.map((path) -> read(failure, path))
			.flatMap(Optional::stream)
			.filter(type::isInstance)
			.map(type::cast);
	}

	private static boolean has(Class<?> type, String getter) {
		try {
			Method method = type.getMethod(getter);
			return method.getReturnType() != void.class;
		}
		catch (NoSuchMethodException | LinkageError ex) {
			return false;
		}
	}

	static Optional<Object> read(Object target, String... path) {
		Optional<Object> value = Optional.of(target);
		for (String getter : path) {
			value = value.flatMap((holder) -> call(holder, getter));
		}
		return value;
	}

	static Optional<Object> call(Object target, String method, Object... arguments) {
		Class<?>[] types = Arrays.stream(arguments).map(Object::getClass).toArray(Class<?>[]::new);
		try {
			Method found = target.getClass().getMethod(method, types);
			// the class may not be public although the method is
			Method callable = ClassUtils.getPubliclyAccessibleMethodIfPossible(found, target.getClass());
			// an application's own exceptions need not be public
			callable.trySetAccessible();
			@Nullable Object value = callable.invoke(target, arguments);
			return Optional.ofNullable(value);
		}
		catch (ReflectiveOperationException | RuntimeException | LinkageError ex) {
			return Optional.empty();
		}
	}

}
