/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

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
	 * The failure or one of its causes has an SQLState.
	 *
	 * @param patterns which, at least one
	 */
	record OfSqlState(List<SqlStatePattern> patterns) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts facts) {
			return facts.sqlStates()
				.stream()
				.anyMatch((state) -> this.patterns.stream().anyMatch((pattern) -> pattern.matches(state)));
		}

		@Override
		public boolean covers(RuleCondition other) {
			return other instanceof OfSqlState narrower && narrower.patterns.stream()
				.allMatch((special) -> this.patterns.stream().anyMatch((pattern) -> pattern.covers(special)));
		}

		@Override
		public String found(FailureFacts facts) {
			return facts.sqlStates().isEmpty() ? "none" : facts.sqlStates().toString();
		}

		@Override
		public String toString() {
			return "sql-state " + this.patterns;
		}

	}

	/**
	 * The failure or one of its causes has an HTTP status.
	 *
	 * @param ranges which, at least one
	 */
	record OfHttpStatus(List<HttpStatusRange> ranges) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts facts) {
			return facts.httpStatuses().stream().anyMatch(this::contains);
		}

		private boolean contains(int status) {
			return this.ranges.stream().anyMatch((range) -> range.contains(status));
		}

		@Override
		public boolean covers(RuleCondition other) {
			return other instanceof OfHttpStatus narrower && narrower.ranges.stream()
				.flatMapToInt((range) -> IntStream.rangeClosed(range.first(), range.last()))
				.allMatch(this::contains);
		}

		@Override
		public String found(FailureFacts facts) {
			return facts.httpStatuses().isEmpty() ? "none" : facts.httpStatuses().toString();
		}

		@Override
		public String toString() {
			return "http-status " + this.ranges;
		}

	}

	/**
	 * The message is under a policy.
	 *
	 * @param names which, at least one
	 */
	record OfMessageType(Set<String> names) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts facts) {
			return this.names.contains(facts.messageType());
		}

		@Override
		public boolean covers(RuleCondition other) {
			return other instanceof OfMessageType narrower && this.names.containsAll(narrower.names);
		}

		@Override
		public String found(FailureFacts facts) {
			return facts.messageType();
		}

		@Override
		public String toString() {
			return "message-type " + this.names;
		}

	}

	/**
	 * The message's header has a schema version.
	 *
	 * @param versions which, at least one
	 */
	record OfSchemaVersion(Set<String> versions) implements RuleCondition {

		@Override
		public boolean holds(FailureFacts facts) {
			@Nullable String version = facts.schemaVersion();
			return version != null && this.versions.contains(version);
		}

		@Override
		public boolean covers(RuleCondition other) {
			return other instanceof OfSchemaVersion narrower && this.versions.containsAll(narrower.versions);
		}

		@Override
		public String found(FailureFacts facts) {
			return Objects.requireNonNullElse(facts.schemaVersion(), "none");
		}

		@Override
		public String toString() {
			return "schema-version " + this.versions;
		}

	}

}
