/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Where in a JSON document something is to be hidden: {@code $}, then names
 * ({@code .name}), names at any depth ({@code ..name}), all elements of an array
 * ({@code [*]}) or all values of an object ({@code .*}).
 *
 * @param steps what leads there
 */
record JsonPath(List<Step> steps) {

	private static final String MASK = "***";

	private static final Pattern STEP = Pattern.compile("(\\.\\.|\\.)([^.\\[\\]*]+)|(\\.\\*|\\[\\*\\])");

	static JsonPath parse(String path) {
		Matcher matcher = STEP.matcher(path);
		List<Step> steps = new ArrayList<>();
		int end = 1;
		while (path.startsWith("$") && matcher.find(end) && matcher.start() == end) {
			end = matcher.end();
			steps.add((matcher.group(3) != null) ? new Step(null, false)
					: new Step(matcher.group(2), matcher.group(1).equals("..")));
		}
		if (steps.isEmpty() || end != path.length()) {
			throw new IllegalArgumentException(path);
		}
		return new JsonPath(List.copyOf(steps));
	}

	/**
	 * Hides.
	 * @param document the document, changed
	 * @return whether something was hidden
	 */
	boolean mask(JsonNode document) {
		return mask(document, 0);
	}

	private boolean mask(JsonNode node, int depth) {
		Step step = this.steps.get(depth);
		boolean last = depth == this.steps.size() - 1;
		boolean masked = false;
		if (node instanceof ObjectNode object) {
			for (String name : List.copyOf(object.propertyNames())) {
				JsonNode child = object.get(name);
				boolean taken = step.name() == null || step.name().equals(name);
				if (taken && last) {
					object.set(name, StringNode.valueOf(MASK));
					masked = true;
				}
				else {
					masked |= taken && mask(child, depth + 1);
					masked |= step.anyDepth() && mask(child, depth);
				}
			}
		}
		else if (node instanceof ArrayNode array) {
			for (int index = 0; index < array.size(); index++) {
				if (step.name() == null && last) {
					array.set(index, StringNode.valueOf(MASK));
					masked = true;
				}
				else if (step.name() == null) {
					masked |= mask(array.get(index), depth + 1);
				}
				else if (step.anyDepth()) {
					masked |= mask(array.get(index), depth);
				}
			}
		}
		return masked;
	}

	/**
	 * One step.
	 *
	 * @param name the name, or {@code null} for all
	 * @param anyDepth whether the name is looked for in everything below
	 */
	record Step(@org.jspecify.annotations.Nullable String name, boolean anyDepth) {
	}

}
