/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the configuration: a failure of which all its conditions hold is of this
 * class for this reason. There is at least one condition. It is checked by
 * {@link ClassificationRules#of}; until then a component may be missing or malformed, as
 * it may in a configuration.
 *
 * @param exception Fully qualified name of an exception class, which stands for its
 * subclasses too, or of an interface that exceptions implement; the failure or one of its
 * causes has to be one.
 * @param sqlState SQLStates, of which the failure or one of its causes has to have one:
 * 40001, or 40* for all that begin so.
 * @param httpStatus HTTP statuses, of which the failure or one of its causes has to have
 * one: 503, 5xx or 500-599.
 * @param messageType Message policies, of which the message has to be under one.
 * @param schemaVersion Schema versions, of which the message's header has to have one.
 * @param failureClass Kind of failure.
 * @param reason Reason: upper case letters, digits and underscores, at most 64.
 * @param action What to do whatever the failure class. Default is to leave that to the
 * class, and to retry if there is a delay.
 * @param delay Delay of the retry, in place of the back-off's.
 * @param mode Whether the rule decides. Default is active.
 */
public record ClassificationRule(@Nullable String exception, @Nullable List<String> sqlState,
		@Nullable List<String> httpStatus, @Nullable List<String> messageType, @Nullable List<String> schemaVersion,
		@Nullable FailureClass failureClass, @Nullable String reason, @Nullable Action action, @Nullable Duration delay,
		@Nullable Mode mode) {

	/**
	 * A rule by exception.
	 * @param exception the fully qualified name of an exception class or interface
	 * @param failureClass the kind of failure
	 * @param reason the reason, as in {@link FailureClassification#reason()}
	 * @return the rule
	 */
	public static ClassificationRule of(String exception, FailureClass failureClass, String reason) {
		return new ClassificationRule(exception, null, null, null, null, failureClass, reason, null, null, null);
	}

	/**
	 * Whether a rule decides, as {@code mode} spells it.
	 */
	public enum Mode {

		/** The rule decides. */
		ACTIVE,

		/** The rule only counts what it would have decided. */
		SHADOW

	}

	/**
	 * What a rule demands, as {@code action} spells it.
	 */
	public enum Action {

		/** To retry, whatever the failure class, within the budgets. */
		RETRY,

		/** To park at once. */
		PARK,

		/** To acknowledge without success. */
		DISCARD

	}

}
