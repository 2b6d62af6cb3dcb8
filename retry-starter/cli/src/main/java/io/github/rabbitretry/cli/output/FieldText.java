/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/**
 * Fields of answers as cells.
 */
final class FieldText {

	private FieldText() {
	}

	static String text(JsonNode node, String field) {
		return text(node.path(field));
	}

	/** The value at a path as {@code replay/act/user}. */
	static String at(JsonNode node, String path) {
		return text(node.at("/" + path));
	}

	private static String text(JsonNode value) {
		if (value.isMissingNode() || value.isNull()) {
			return "";
		}
		if (value.isArray()) {
			return value.valueStream().map(FieldText::plain).collect(Collectors.joining(", "));
		}
		return plain(value);
	}

	private static String plain(JsonNode value) {
		return value.isValueNode() ? value.asString("") : value.toString();
	}

	/** A count that people begin at 1. */
	static String tries(JsonNode node) {
		return node.hasNonNull("attempts") ? Long.toString(node.path("attempts").asLong(0) + 1) : "";
	}

	static String percent(JsonNode job) {
		return job.has("percent") ? text(job, "percent") + " %" : "";
	}

}
