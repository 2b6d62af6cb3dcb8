/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

/**
 * How a topic exchange compares a binding's key with a message's: {@code *} stands for
 * one word, {@code #} for any number of them.
 */
final class TopicPattern {

	private TopicPattern() {
	}

	static boolean matches(String pattern, String key) {
		return matches(words(pattern), words(key));
	}

	private static boolean matches(List<String> pattern, List<String> key) {
		if (pattern.isEmpty()) {
			return key.isEmpty();
		}
		List<String> rest = pattern.subList(1, pattern.size());
		if (pattern.get(0).equals("#")) {
			return matches(rest, key) || (!key.isEmpty() && matches(pattern, key.subList(1, key.size())));
		}
		return !key.isEmpty() && (pattern.get(0).equals("*") || pattern.get(0).equals(key.get(0)))
				&& matches(rest, key.subList(1, key.size()));
	}

	private static List<String> words(String key) {
		return List.of(key.split("\\.", -1));
	}

}
