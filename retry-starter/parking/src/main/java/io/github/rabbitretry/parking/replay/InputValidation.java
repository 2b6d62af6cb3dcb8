/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Checks texts that people enter. They end up in headers, in the database and on screens.
 */
final class InputValidation {

	/** The longest value of a filter, in bytes of UTF-8: no column holds more. */
	static final int LONGEST_FILTER = 255;

	/** Ids of as many causes as the console lists have room. */
	static final int LONGEST_CAUSES = 4000;

	private InputValidation() {
	}

	static void check(String what, @Nullable String text, int longest) {
		if (text == null || text.isBlank()) {
			throw ReplayRefusedException.invalid(what, "is missing", "Say it: everything that is done is recorded.");
		}
		bounded(what, text, longest);
	}

	static void bounded(String what, String text, int longest) {
		int size = text.getBytes(StandardCharsets.UTF_8).length;
		if (size > longest) {
			throw ReplayRefusedException.invalid(what, "has %s bytes".formatted(size),
					"It may have %s at most.".formatted(longest));
		}
		text.codePoints().filter(InputValidation::unprintable).findFirst().ifPresent((character) -> {
			throw ReplayRefusedException.invalid(what, "has the control character U+%04X".formatted(character),
					"Leave it out.");
		});
	}

	private static boolean unprintable(int character) {
		int type = Character.getType(character);
		return type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR
				|| type == Character.SURROGATE || type == Character.FORMAT;
	}

}
