/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.util.ArrayList;
import java.util.List;

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

	private static final int DEEPEST = 32;

	static ExceptionSummary of(Throwable failure) {
		Throwable first = failure;
		for (int depth = 0; depth < DEEPEST && first instanceof ListenerExecutionFailedException
				&& first.getCause() != null; depth++) {
			first = first.getCause();
		}
		List<String> classes = new ArrayList<>();
		Throwable current = first;
		while (current != null && classes.size() < MOST) {
			classes.add(current.getClass().getName());
			current = current.getCause();
		}
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
