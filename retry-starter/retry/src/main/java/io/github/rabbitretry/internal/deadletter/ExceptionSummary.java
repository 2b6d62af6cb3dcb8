/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.List;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.TopFrames;
import io.github.rabbitretry.internal.failure.ThrowableTexts;

/**
 * An exception in short texts. A whole stack trace never goes into headers: they must fit
 * into a frame.
 *
 * @param classes the names of the exception's class and of its causes', outermost first
 * @param message the message of the first of them
 * @param rootClass the name of the innermost exception's class
 * @param rootMessage its message
 * @param frames its top frames, innermost first
 */
record ExceptionSummary(String classes, String message, String rootClass, String rootMessage, String frames) {

	private static final String FROM = " <- ";

	private static final int MOST = 6;

	static ExceptionSummary of(Throwable failure) {
		List<Throwable> chain = CauseChain.unwrapped(failure);
		List<String> classes = chain.stream().limit(MOST).map((cause) -> cause.getClass().getName()).toList();
		Throwable root = CauseChain.innermost(failure);
		return new ExceptionSummary(String.join(FROM, classes), ThrowableTexts.message(chain.get(0)),
				root.getClass().getName(), ThrowableTexts.message(root), String.join(FROM, TopFrames.of(root)));
	}

}
