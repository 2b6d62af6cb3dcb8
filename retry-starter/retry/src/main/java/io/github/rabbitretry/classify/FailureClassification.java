/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The classification of a failure: its class, its reason and, if the called service
 * requested one, a delay.
 *
 * @param failureClass the kind of failure
 * @param reason the reason, upper case letters, digits and underscores, at most 64 of
 * them; it becomes a metric tag, so applications must use a small closed set
 * @param retryAfter the shortest delay that the called service asked for, positive,
 * limited to ten days, or {@code null} if it asked for none
 * @param instruction what a handler or a rule requests, or {@code null} if class and
 * budgets decide
 */
public record FailureClassification(FailureClass failureClass, String reason, @Nullable Duration retryAfter,
		@Nullable Instruction instruction) {

	public static final Duration LONGEST_DELAY = Duration.ofSeconds(864_000);

	private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	public FailureClassification {
		Assert.isTrue(REASON.matcher(reason).matches(),
				() -> "reason '%s' must be 1 to 64 upper case letters, digits or underscores, starting with a letter"
					.formatted(reason));
		if (retryAfter != null && (retryAfter.isNegative() || retryAfter.isZero())) {
			throw new IllegalArgumentException("retryAfter %s must be positive".formatted(retryAfter));
		}
		if (retryAfter != null && retryAfter.compareTo(LONGEST_DELAY) > 0) {
			// an instant further away is not believed when it comes back in a header
			retryAfter = LONGEST_DELAY;
		}
	}

	/**
	 * Creates a classification without an instruction.
	 * @param failureClass the kind of failure
	 * @param reason the reason
	 * @param retryAfter the shortest delay that the called service asked for, or
	 * {@code null}
	 */
	public FailureClassification(FailureClass failureClass, String reason, @Nullable Duration retryAfter) {
		this(failureClass, reason, retryAfter, null);
	}

	/**
	 * Creates a classification without a requested delay.
	 * @param failureClass the kind of failure
	 * @param reason the reason, as in {@link #reason()}
	 * @return the classification
	 */
	public static FailureClassification of(FailureClass failureClass, String reason) {
		return new FailureClassification(failureClass, reason, null, null);
	}

	/**
	 * Creates a classification with an instruction.
	 * @param failureClass the kind of failure
	 * @param reason the reason, as in {@link #reason()}
	 * @param instruction what is requested
	 * @return the classification
	 */
	public static FailureClassification instructed(FailureClass failureClass, String reason, Instruction instruction) {
		return new FailureClassification(failureClass, reason, null, instruction);
	}

	/**
	 * The delay that the called service asked for.
	 * @return the delay, or empty if none was requested
	 */
	public Optional<Duration> askedDelay() {
		return Optional.ofNullable(this.retryAfter);
	}

}
