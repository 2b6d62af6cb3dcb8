/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.internal.connection.ProtectedGetter;
import io.github.rabbitretry.internal.invocation.AsyncResult;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The object whose methods a {@link MessageListenerAdapter} calls by their names. It
 * acknowledges or rejects by the outcome of a future that they return, besides us, and
 * nothing of it can be waited for from outside.
 */
final class AdaptedDelegate {

	private AdaptedDelegate() {
	}

	/**
	 * Finds a method that may return a result that is there later.
	 * @param listener a listener
	 * @return the first such method, if the listener is an adapter that calls one
	 */
	public static Optional<Method> returningLater(@Nullable MessageListener listener) {
		HandlerMethods adapted = methods(listener);
		return (adapted == null) ? Optional.empty()
				: adapted.methods()
					.stream()
					.filter((method) -> AsyncResult.isPossible(method.getReturnType()))
					.findFirst();
	}

	/**
	 * Finds the methods that an adapter may call.
	 * @param listener a listener
	 * @return the methods, or {@code null} if it is no adapter of methods
	 */
	static @Nullable HandlerMethods methods(@Nullable MessageListener listener) {
		if (!(listener instanceof MessageListenerAdapter adapter)) {
			return null;
		}
		Object delegate = call(adapter, "getDelegate");
		if (delegate == null || (delegate instanceof MessageListener && delegate != adapter)) {
			return null;
		}
		Set<String> names = names(adapter);
		return new HandlerMethods(delegate,
				Arrays.stream(ReflectionUtils.getAllDeclaredMethods(AopUtils.getTargetClass(delegate)))
					.filter((method) -> names.contains(method.getName()))
					.toList());
	}

	private static Set<String> names(MessageListenerAdapter adapter) {
		Set<String> names = new HashSet<>();
		if (call(adapter, "getDefaultListenerMethod") instanceof String name) {
			names.add(name);
		}
		Field byQueue = ReflectionUtils.findField(MessageListenerAdapter.class, "queueOrTagToMethodName", Map.class);
		if (byQueue != null) {
			ReflectionUtils.makeAccessible(byQueue);
			if (ReflectionUtils.getField(byQueue, adapter) instanceof Map<?, ?> map) {
				Collection<?> values = map.values();
				values.forEach((name) -> names.add(String.valueOf(name)));
			}
		}
		return names;
	}

	private static @Nullable Object call(MessageListenerAdapter adapter, String getter) {
		return ProtectedGetter.call(MessageListenerAdapter.class, getter, adapter);
	}

}
