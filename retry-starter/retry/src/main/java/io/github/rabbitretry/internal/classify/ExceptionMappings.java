/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Finds the knowledge about an exception by the most specific of its types that is in the
 * table: the class itself, then its interfaces, then its superclass, and so on.
 * <p>
 * Types are compared by name, so that the table may know libraries that are not there.
 */
final class ExceptionMappings {

	private final Map<String, ExceptionMapping> table;

	private final ClassValue<Optional<ExceptionMapping>> byType = new ClassValue<>() {

		@Override
		protected Optional<ExceptionMapping> computeValue(Class<?> type) {
			return Optional.ofNullable(mostSpecific(type));
		}

	};

	ExceptionMappings(Map<String, ExceptionMapping> table) {
		this.table = Map.copyOf(table);
	}

	Optional<ExceptionMapping> about(Throwable failure) {
		return this.byType.get(failure.getClass());
	}

	private @Nullable ExceptionMapping mostSpecific(@Nullable Class<?> type) {
		if (type == null) {
			return null;
		}
		@Nullable ExceptionMapping found = this.table.get(type.getName());
		for (Class<?> implemented : type.getInterfaces()) {
			found = (found != null) ? found : mostSpecific(implemented);
		}
		return (found != null) ? found : mostSpecific(type.getSuperclass());
	}

}
