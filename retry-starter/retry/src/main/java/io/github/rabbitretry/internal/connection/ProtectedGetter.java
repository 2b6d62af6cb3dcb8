/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * Getters that Spring AMQP keeps for subclasses.
 */
public final class ProtectedGetter {

	private ProtectedGetter() {
	}

	/**
	 * Calls a getter.
	 * @param <T> what it returns
	 * @param type the class of Spring AMQP that declares it
	 * @param getter its name
	 * @param target on what to call it
	 * @return what it returns
	 */
	@SuppressWarnings("unchecked")
	public static <T> @Nullable T call(Class<?> type, String getter, Object target) {
		Method method = ReflectionUtils.findMethod(type, getter);
		Assert.state(method != null,
				() -> "this version of Spring AMQP has no %s#%s".formatted(type.getSimpleName(), getter));
		ReflectionUtils.makeAccessible(method);
		return (T) ReflectionUtils.invokeMethod(method, target);
	}

}
