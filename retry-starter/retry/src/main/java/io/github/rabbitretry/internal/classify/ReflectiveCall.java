/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.lang.reflect.Method;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Reads public properties of exceptions whose library may not be there to compile
 * against. Whatever can't be read is empty: a failure must be classified even by an
 * unforeseen version of a library.
 */
final class ReflectiveCall {

	private ReflectiveCall() {
	}

	static Optional<Object> read(Object target, String... path) {
		Optional<Object> value = Optional.of(target);
		for (String getter : path) {
			value = value.flatMap((holder) -> call(holder, getter));
		}
		return value;
	}

	static Optional<Object> call(Object target, String method, Object... arguments) {
		Class<?>[] types = new Class<?>[arguments.length];
		for (int i = 0; i < arguments.length; i++) {
			types[i] = arguments[i].getClass();
		}
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
