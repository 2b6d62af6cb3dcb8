/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * One condition of a rule. A rule has at most one of each kind.
 */
sealed interface RuleCondition {

	/**
	 * Whether it holds of a failure.
	 * @param facts what the failure is
	 * @return {@code true} if it holds
	 */
	boolean holds(FailureFacts facts);

	/**
	 * Whether it holds wherever another condition of the same kind does.
	 * @param other the other
	 * @return {@code true} if the other is a special case of this one
	 */
	boolean covers(RuleCondition other);

	/**
	 * What a failure has where the condition asks for something.
	 * @param facts what the failure is
	 * @return a few words, without the condition's own
	 */
	String found(FailureFacts facts);

	/**
	 * The failure or one of its causes is of a type.
	 *
	 * @param type the type
	 */
	record OfType(Class<?> type) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts facts) {
			for (Throwable cause : facts.chain()) {
				if (this.type.isInstance(cause)) {
					return true;
				}
			}
			return false;
		}

		@Override
		public boolean covers(RuleCondition other) {
			return other instanceof OfType narrower && this.type.isAssignableFrom(narrower.type);
		}

		@Override
		public String found(FailureFacts facts) {
			return facts.chain().get(facts.chain().size() - 1).getClass().getName();
		}

		@Override
		public String toString() {
			return "exception " + this.type.getName();
		}

	}

	/**
	 * The failure or its message has one of some values.
	 *
	 * @param <V> what a value is
	 * @param key the condition's key in the configuration
	 * @param values which, at least one
	 * @param facts what a failure has
	 * @param cover whether they hold wherever another value does
	 */
	record OfValues<V>(String key, Set<V> values, Function<FailureFacts, List<V>> facts,
			BiPredicate<Set<V>, V> cover) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts failure) {
			return this.facts.apply(failure).stream().anyMatch((fact) -> this.cover.test(this.values, fact));
		}

		@Override
		@SuppressWarnings("unchecked")
		public boolean covers(RuleCondition other) {
			return other instanceof OfValues<?> narrower && narrower.key.equals(this.key)
					&& narrower.values.stream().allMatch((special) -> this.cover.test(this.values, (V) special));
		}

		@Override
		public String found(FailureFacts failure) {
			List<String> found = this.facts.apply(failure).stream().map(String::valueOf).toList();
			return found.isEmpty() ? "none" : String.join(", ", found);
		}

		@Override
		public String toString() {
			return this.key + " " + this.values;
		}

	}

}
