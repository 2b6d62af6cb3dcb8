/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names and values below each other.
 */
final class Facts {

	private final Map<String, String> facts = new LinkedHashMap<>();

	Facts with(String name, String value) {
		if (!value.isEmpty()) {
			this.facts.put(SafeText.line(name), SafeText.line(value));
		}
		return this;
	}

	String text() {
		int widest = this.facts.keySet().stream().mapToInt(String::length).max().orElse(0);
		StringBuilder text = new StringBuilder();
		this.facts.forEach((name, value) -> text.append(name)
			.append(" ".repeat(widest - name.length()))
			.append("  ")
			.append(value)
			.append('\n'));
		return text.toString();
	}

}
