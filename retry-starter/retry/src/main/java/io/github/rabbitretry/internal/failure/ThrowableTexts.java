/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The texts of an exception, which code makes up that may fail itself.
 */
public final class ThrowableTexts {

	private ThrowableTexts() {
	}

	/**
	 * The exception's message.
	 * @param failure the exception
	 * @return the message, empty if there is none or it can't be had
	 */
	public static String message(Throwable failure) {
		String message = get(failure::getMessage);
		return (message != null) ? message : "";
	}

	/** All that a logger may print of an exception, besides its frames. */
	static List<String> printed(Throwable failure) {
		return Stream.of(get(failure::getMessage), get(failure::getLocalizedMessage), get(failure::toString))
			.map((text) -> (text != null) ? text : "")
			.toList();
	}

	/** Whether a logger that asks for causes, suppressed ones and frames gets an end. */
	static boolean canBeAsked(List<Throwable> chain) {
		try {
			for (Throwable cause : chain) {
				cause.getMessage();
				cause.getLocalizedMessage();
				cause.toString();
				cause.getStackTrace();
			}
			return chain.get(chain.size() - 1).getCause() == null;
		}
		catch (RuntimeException | StackOverflowError ex) {
			return false;
		}
	}

	private static <T> @Nullable T get(Supplier<@Nullable T> text) {
		try {
			return text.get();
		}
		catch (RuntimeException | StackOverflowError ex) {
			// the failure is shown without it
			return null;
		}
	}

}
