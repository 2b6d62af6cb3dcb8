/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

import org.jspecify.annotations.Nullable;

/**
 * The one server of this JVM.
 */
final class SharedDatabase {

	private static @Nullable Database shared;

	private SharedDatabase() {
	}

	static synchronized Database get() {
		if (shared == null) {
			Database database = Database.start();
			Runtime.getRuntime().addShutdownHook(new Thread(database::close, "close the database"));
			shared = unclosable(database);
		}
		return shared;
	}

	private static Database unclosable(Database database) {
		return (Database) Proxy.newProxyInstance(Database.class.getClassLoader(), new Class<?>[] { Database.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("close")) {
						return null;
					}
					try {
						return method.invoke(database, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

}
