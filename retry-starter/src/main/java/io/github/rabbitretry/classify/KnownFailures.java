/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Finds the knowledge about an exception by the most specific of its types that is in the
 * table: the class itself, then its interfaces, then its superclass, and so on.
 * <p>
 * Types are compared by name, so that the table may know libraries that are not there.
 */
final class KnownFailures {

	private final Map<String, Knowledge> table;

	private final ClassValue<Optional<Knowledge>> byType = new ClassValue<>() {

		@Override
		protected Optional<Knowledge> computeValue(Class<?> type) {
			return Optional.ofNullable(mostSpecific(type));
		}

	};

	KnownFailures(Map<String, Knowledge> table) {
		this.table = Map.copyOf(table);
	}

	Optional<Knowledge> about(Throwable failure) {
		return this.byType.get(failure.getClass());
	}

	private @Nullable Knowledge mostSpecific(@Nullable Class<?> type) {
		if (type == null) {
			return null;
		}
		@Nullable Knowledge found = this.table.get(type.getName());
		for (Class<?> implemented : type.getInterfaces()) {
			found = (found != null) ? found : mostSpecific(implemented);
		}
		return (found != null) ? found : mostSpecific(type.getSuperclass());
	}

}
