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
final class Node {

	private static final int SECONDS = "2026-07-01T12:00:00".length();

	private Node() {
	}

	static String text(JsonNode node, String field) {
		JsonNode value = node.path(field);
		if (value.isMissingNode() || value.isNull()) {
			return "";
		}
		if (value.isArray()) {
			return value.valueStream().map(Node::plain).collect(Collectors.joining(", "));
		}
		return plain(value);
	}

	private static String plain(JsonNode value) {
		return value.isValueNode() ? value.asString("") : value.toString();
	}

	/** An instant without its fractions of a second. */
	static String time(JsonNode node, String field) {
		String text = text(node, field);
		return (text.length() > SECONDS && text.charAt(SECONDS) == '.' && text.endsWith("Z"))
				? text.substring(0, SECONDS) + "Z" : text;
	}

	static String percent(JsonNode job) {
		return job.has("percent") ? text(job, "percent") + " %" : "";
	}

}
