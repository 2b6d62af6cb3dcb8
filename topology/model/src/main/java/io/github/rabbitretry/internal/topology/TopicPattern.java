/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * How a topic exchange compares a binding's key with a message's: {@code *} stands for
 * one word, {@code #} for any number of them. An empty key has no word.
 */
public final class TopicPattern {

	private TopicPattern() {
	}

	/**
	 * Whether a message goes the way of a binding.
	 * @param pattern the binding's key
	 * @param key the message's
	 * @return whether they match; that takes as many steps as the product of their words
	 */
	public static boolean matches(String pattern, String key) {
		String[] words = words(key);
		// whether what is read of the pattern matches so many words
		boolean[] reached = new boolean[words.length + 1];
		reached[0] = true;
		for (String part : words(pattern)) {
			boolean[] next = new boolean[words.length + 1];
			for (int count = 0; count <= words.length; count++) {
				if (part.equals("#")) {
					next[count] = reached[count] || (count > 0 && next[count - 1]);
				}
				else {
					next[count] = count > 0 && reached[count - 1]
							&& (part.equals("*") || part.equals(words[count - 1]));
				}
			}
			reached = next;
		}
		return reached[words.length];
	}

	private static String[] words(String key) {
		return key.isEmpty() ? new String[0] : key.split("\\.", -1);
	}

}
