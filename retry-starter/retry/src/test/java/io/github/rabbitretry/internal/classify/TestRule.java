/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.classify.FailureClass;
import org.jspecify.annotations.Nullable;

/**
 * Builds rules for tests.
 */
final class TestRule {

	private final String reason;

	private @Nullable String exception;

	private @Nullable List<String> sqlState;

	private @Nullable List<String> httpStatus;

	private @Nullable List<String> messageType;

	private @Nullable List<String> schemaVersion;

	private ClassificationRule.@Nullable Action action;

	private @Nullable Duration delay;

	private ClassificationRule.@Nullable Mode mode;

	private TestRule(String reason) {
		this.reason = reason;
	}

	static TestRule rule(String reason) {
		return new TestRule(reason);
	}

	TestRule exception(Class<?> type) {
		this.exception = type.getName();
		return this;
	}

	TestRule sqlState(String... patterns) {
		this.sqlState = List.of(patterns);
		return this;
	}

	TestRule httpStatus(String... ranges) {
		this.httpStatus = List.of(ranges);
		return this;
	}

	TestRule messageType(String... names) {
		this.messageType = List.of(names);
		return this;
	}

	TestRule schemaVersion(String... versions) {
		this.schemaVersion = List.of(versions);
		return this;
	}

	TestRule action(ClassificationRule.Action action) {
		this.action = action;
		return this;
	}

	TestRule delay(Duration delay) {
		this.delay = delay;
		return this;
	}

	TestRule shadow() {
		this.mode = ClassificationRule.Mode.SHADOW;
		return this;
	}

	ClassificationRule build() {
		return new ClassificationRule(this.exception, this.sqlState, this.httpStatus, this.messageType,
				this.schemaVersion, FailureClass.TRANSIENT, this.reason, this.action, this.delay, this.mode);
	}

	@Override
	public String toString() {
		return build().toString().replaceAll("\\w+=null,? ?", "");
	}

}
