/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notifies many listeners, and keeps each one's failures from the others and from the
 * delivery.
 */
public final class DeliveryListeners implements InvocationHandler {

	private static final Log logger = LogFactory.getLog(DeliveryListeners.class);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(10));

	/** Those that do something about it, since every delivery is two events. */
	private final Map<Method, List<DeliveryListener>> listeners = new HashMap<>();

	private DeliveryListeners(List<DeliveryListener> listeners) {
		for (Method event : DeliveryListener.class.getMethods()) {
			this.listeners.put(event, listeners.stream().filter((listener) -> handles(listener, event)).toList());
		}
	}

	private static boolean handles(DeliveryListener listener, Method event) {
		try {
			return !listener.getClass()
				.getMethod(event.getName(), event.getParameterTypes())
				.getDeclaringClass()
				.equals(DeliveryListener.class);
		}
		catch (NoSuchMethodException ex) {
			// a native image shows only the methods that it has hints for
			return true;
		}
	}

	/**
	 * Tells several listeners.
	 * @param listeners the listeners, called in this order
	 * @return stands for all of them
	 */
	public static DeliveryListener of(List<DeliveryListener> listeners) {
		return (DeliveryListener) Proxy.newProxyInstance(DeliveryListener.class.getClassLoader(),
				new Class<?>[] { DeliveryListener.class }, new DeliveryListeners(listeners));
	}

	/**
	 * Tells several listeners, and logs what people should know.
	 * @param listeners the listeners, called in this order
	 * @return stands for all of them
	 */
	public static DeliveryListener logging(List<DeliveryListener> listeners) {
		return of(Stream.concat(listeners.stream(), Stream.of(new EscalationLog(), new OutageLog())).toList());
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method event, @Nullable Object[] arguments) throws Throwable {
		if (event.getDeclaringClass() == Object.class) {
			return event.getName().equals("equals") ? (Object) (proxy == arguments[0]) : event.invoke(this, arguments);
		}
		for (DeliveryListener listener : this.listeners.getOrDefault(event, List.of())) {
			try {
				event.invoke(listener, arguments);
			}
			catch (Throwable ex) {
				failed(listener, (ex instanceof InvocationTargetException own) ? own.getTargetException() : ex);
			}
		}
		return null;
	}

	private void failed(DeliveryListener listener, Throwable failure) {
		this.warning.warn(() -> "Delivery listener %s failed: %s".formatted(listener.getClass().getName(), failure));
		logger.debug("A delivery listener failed", failure);
	}

}
