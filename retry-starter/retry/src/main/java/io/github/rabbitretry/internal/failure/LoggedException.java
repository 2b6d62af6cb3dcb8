/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.List;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.classify.TopFrames;
import io.github.rabbitretry.internal.message.LogText;
import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception in a log where that exception must not be logged itself: its
 * text has line breaks with which a producer could write lines of its own, or its causes
 * have no end. It has the original's frames, and its text begins with the original's
 * class.
 */
final class LoggedException extends Exception {

	private static final long serialVersionUID = 1L;

	private static final int LONGEST = 2048;

	private static final int MOST_SUPPRESSED = 8;

	private LoggedException(String text, StackTraceElement[] frames, @Nullable Throwable cause) {
		super(text, cause);
		setStackTrace(frames);
	}

	/**
	 * What may be logged of a failure.
	 * @param failure the failure, wrappers of Spring AMQP included
	 * @return the failure without the wrappers, or its stand-in
	 */
	static Throwable of(Throwable failure) {
		List<Throwable> unwrapped = CauseChain.unwrapped(failure);
		return mayBeLogged(unwrapped, true) ? unwrapped.get(0) : standIn(unwrapped, true);
	}

	private static boolean mayBeLogged(List<Throwable> chain, boolean withSuppressed) {
		return ThrowableTexts.canBeAsked(chain) && chain.stream()
			.allMatch((cause) -> ThrowableTexts.printed(cause).stream().allMatch((text) -> text.equals(fit(text)))
					&& mayBeLogged(cause.getSuppressed(), withSuppressed));
	}

	private static boolean mayBeLogged(Throwable[] suppressed, boolean allowed) {
		if (suppressed.length == 0) {
			return true;
		}
		if (!allowed || suppressed.length > MOST_SUPPRESSED) {
			return false;
		}
		for (Throwable each : suppressed) {
			if (!mayBeLogged(CauseChain.of(each), false)) {
				return false;
			}
		}
		return true;
	}

	private static LoggedException standIn(List<Throwable> chain, boolean withSuppressed) {
		LoggedException inner = null;
		for (int index = chain.size() - 1; index >= 0; index--) {
			Throwable cause = chain.get(index);
			LoggedException outer = new LoggedException(text(cause), TopFrames.trace(cause), inner);
			if (withSuppressed) {
				Throwable[] suppressed = cause.getSuppressed();
				for (int each = 0; each < Math.min(suppressed.length, MOST_SUPPRESSED); each++) {
					outer.addSuppressed(standIn(CauseChain.of(suppressed[each]), false));
				}
			}
			inner = outer;
		}
		if (inner == null) {
			throw new IllegalArgumentException("a chain has a failure");
		}
		return inner;
	}

	private static String text(Throwable failure) {
		String name = failure.getClass().getName();
		String message = ThrowableTexts.message(failure);
		return message.isEmpty() ? name : name + ": " + fit(message);
	}

	private static String fit(String text) {
		return LogText.unquoted(text, LONGEST);
	}

	/** It has the frames of another one. */
	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

}
