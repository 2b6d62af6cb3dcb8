/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The one server of the JVM, started on first use. Closing it does nothing, since a
 * caller can't know who else uses it: a dependency injection container that closes its
 * beans would end it for all. No shutdown hook stops it either: hooks run side by side,
 * and the contexts that close in theirs still talk to the server. What was started ends
 * by itself after the JVM, as it does when the JVM is killed.
 *
 * @param <T> the server's interface
 */
public final class Shared<T extends AutoCloseable> {

	private final Class<T> type;

	private final Supplier<T> start;

	private @Nullable T server;

	private @Nullable RuntimeException failure;

	/**
	 * Starts nothing yet.
	 * @param type the server's interface
	 * @param start starts the server
	 */
	public Shared(Class<T> type, Supplier<T> start) {
		this.type = type;
		this.start = start;
	}

	/**
	 * The server. A start that failed is not tried again.
	 * @return the same one for every caller
	 */
	public synchronized T get() {
		if (this.failure != null) {
			throw this.failure;
		}
		if (this.server == null) {
			try {
				this.server = unclosable(this.start.get());
			}
			catch (RuntimeException ex) {
				this.failure = ex;
				throw ex;
			}
		}
		return this.server;
	}

	private T unclosable(T started) {
		return this.type.cast(Proxy.newProxyInstance(this.type.getClassLoader(), new Class<?>[] { this.type },
				(proxy, method, arguments) -> {
					if (method.getName().equals("close")) {
						return null;
					}
					try {
						return method.invoke(started, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				}));
	}

}
