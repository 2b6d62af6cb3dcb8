/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;
import org.jspecify.annotations.Nullable;

/**
 * Finds the knowledge about an exception by the most specific of its types that is in the
 * table: the class itself, then its interfaces, then its superclass, and so on.
 * <p>
 * Types are compared by name, so that the table may know libraries that are not there.
 */
final class ExceptionMappings {

	private final Map<String, Mapping> table;

	private final ClassValue<Optional<Mapping>> byType = new ClassValue<>() {

		@Override
		protected Optional<Mapping> computeValue(Class<?> type) {
			return Optional.ofNullable(mostSpecific(type));
		}

	};

	ExceptionMappings(Map<String, Mapping> table) {
		this.table = Map.copyOf(table);
	}

	Optional<Mapping> about(Throwable failure) {
		return this.byType.get(failure.getClass());
	}

	private @Nullable Mapping mostSpecific(@Nullable Class<?> type) {
		if (type == null) {
			return null;
		}
		@Nullable Mapping found = this.table.get(type.getName());
		for (Class<?> implemented : type.getInterfaces()) {
			found = (found != null) ? found : mostSpecific(implemented);
		}
		return (found != null) ? found : mostSpecific(type.getSuperclass());
	}

	/**
	 * What is known about one type of exception.
	 *
	 * @param reading what an exception of the type says; empty if it says nothing and its
	 * cause is to be asked
	 * @param yields whether a retryable failure beneath is the truer one: the type is a
	 * wrapper with an opinion of its own, or a guess that a message can never succeed
	 */
	record Mapping(Reading reading, boolean yields) {
	}

	/**
	 * Reads one exception, without its causes.
	 */
	@FunctionalInterface
	interface Reading {

		Optional<FailureClassification> read(Throwable failure);

		static Reading always(FailureClassification classification) {
			Optional<FailureClassification> answer = Optional.of(classification);
			return (failure) -> answer;
		}

		static Reading nothing() {
			return (failure) -> Optional.empty();
		}

		default Reading orElse(FailureClassification classification) {
			return (failure) -> read(failure).or(() -> Optional.of(classification));
		}

	}

}
