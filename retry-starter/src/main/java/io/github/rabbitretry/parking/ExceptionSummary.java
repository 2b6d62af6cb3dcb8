/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.util.List;

import io.github.rabbitretry.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * An exception in two short texts. A whole stack trace never goes into headers: they must
 * fit into a frame.
 *
 * @param classes the names of the exception's class and of its causes', outermost first
 * @param message the message of the first of them
 */
record ExceptionSummary(String classes, String message) {

	private static final int MOST = 6;

	static ExceptionSummary of(Throwable failure) {
		List<Throwable> chain = CauseChain.of(failure);
		int wrappers = 0;
		while (wrappers < chain.size() - 1 && chain.get(wrappers) instanceof ListenerExecutionFailedException) {
			wrappers++;
		}
		Throwable first = chain.get(wrappers);
		List<String> classes = chain.stream()
			.skip(wrappers)
			.limit(MOST)
			.map((cause) -> cause.getClass().getName())
			.toList();
		return new ExceptionSummary(String.join(" <- ", classes), message(first));
	}

	private static String message(Throwable failure) {
		try {
			@Nullable String message = failure.getMessage();
			return (message != null) ? message : "";
		}
		catch (RuntimeException ex) {
			// made up when asked for, by code that fails itself; the message is parked
			// without it
			return "";
		}
	}

}
