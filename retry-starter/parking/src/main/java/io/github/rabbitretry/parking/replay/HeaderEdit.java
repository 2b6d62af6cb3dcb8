/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.BrokerHeaders;

/**
 * Which headers people may change, and to what.
 */
final class HeaderEdit {

	private static final int LONGEST_NAME = 128;

	private static final int LONGEST_VALUE = 4096;

	private static final int MOST = 50;

	private HeaderEdit() {
	}

	static void check(Map<String, Object> set, Set<String> remove) {
		if (set.size() + remove.size() > MOST) {
			throw ReplayRefusedException.invalid("headers", "are " + (set.size() + remove.size()),
					"At most 50 can be changed.");
		}
		set.forEach((name, value) -> {
			checkName(name);
			if (value instanceof String text) {
				if (!text.isEmpty()) {
					InputValidation.bounded("header '%s'".formatted(name), text, LONGEST_VALUE);
				}
			}
			else if (!(value instanceof Integer || value instanceof Long || value instanceof Boolean
					|| value instanceof Double)) {
				throw ReplayRefusedException.invalid("header '%s'".formatted(name),
						"is a " + value.getClass().getSimpleName(), "Set texts, numbers or booleans.");
			}
		});
		remove.forEach(HeaderEdit::checkName);
	}

	private static void checkName(String name) {
		InputValidation.check("header name", name, LONGEST_NAME);
		if (!name.chars().allMatch((character) -> character > 0x20 && character < 0x7F)) {
			throw ReplayRefusedException.invalid("header name", "has other characters than printable ASCII",
					"Leave them out.");
		}
		if (name.startsWith(AppHeaders.PREFIX) || name.startsWith("x-replay") || BrokerHeaders.madeByBroker(name)
				|| name.equals("x-original-death-count") || name.equals("CC") || name.equals("BCC")) {
			throw ReplayRefusedException.invalid("header '%s'".formatted(name), "is not the producer's",
					"It is written by Rabbit Retry or by the broker and can't be changed.");
		}
	}

}
