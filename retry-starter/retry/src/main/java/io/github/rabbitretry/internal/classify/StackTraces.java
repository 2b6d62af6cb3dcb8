/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Reads stack traces of exceptions that may override how they are told.
 */
final class StackTraces {

	private static final StackTraceElement[] NONE = {};

	private StackTraces() {
	}

	/**
	 * The frames of an exception.
	 * @param failure the exception
	 * @return its frames, none where it gives none
	 */
	static StackTraceElement[] of(Throwable failure) {
		try {
			@Nullable StackTraceElement @Nullable [] frames = failure.getStackTrace();
			if (frames == null) {
				return NONE;
			}
			return Arrays.stream(frames).allMatch(Objects::nonNull) ? failure.getStackTrace() : NONE;
		}
		catch (RuntimeException | StackOverflowError ex) {
			return NONE;
		}
	}

}
