/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * Names and values below each other.
 */
final class KeyValueTable {

	private final Map<String, String> facts = new LinkedHashMap<>();

	KeyValueTable with(String name, String value) {
		if (!value.isEmpty()) {
			this.facts.put(SafeText.line(name), SafeText.line(value));
		}
		return this;
	}

	/**
	 * Adds values of a node.
	 * @param node what has the values
	 * @param facts where each is, as {@code replay/act/user}; before {@code =} its name,
	 * if that is not the last element
	 * @return this
	 */
	KeyValueTable with(JsonNode node, String... facts) {
		for (String fact : facts) {
			String path = fact.substring(fact.indexOf('=') + 1);
			with(fact.contains("=") ? fact.substring(0, fact.indexOf('=')) : path.substring(path.lastIndexOf('/') + 1),
					FieldText.at(node, path));
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
