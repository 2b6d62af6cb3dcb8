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

import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Replaces values in JSON documents. A document that repeats a name is taken for no JSON:
 * only one of the values would be seen here, and the other one stored.
 */
final class JsonMasking implements Redaction {

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private final List<Path> paths;

	JsonMasking(List<String> paths) {
		this.paths = paths.stream().map(Path::parse).toList();
	}

	@Override
	public Stored apply(byte[] body) {
		try {
			JsonNode document = this.mapper.readTree(body);
			if (document == null || document.isMissingNode()) {
				return Stored.OMITTED;
			}
			boolean masked = false;
			for (Path path : this.paths) {
				masked |= path.mask(document, 0);
			}
			return masked ? new Stored(PayloadState.MASKED, this.mapper.writeValueAsBytes(document))
					: new Stored(PayloadState.WHOLE, body);
		}
		catch (JacksonException ex) {
			// unread, it may hold what is to be hidden
			return Stored.OMITTED;
		}
	}

	/**
	 * Where in a JSON document something is to be hidden: {@code $}, then names
	 * ({@code .name}), names at any depth ({@code ..name}), all elements of an array
	 * ({@code [*]}) or all values of an object ({@code .*}).
	 *
	 * @param steps what leads there
	 */
	private record Path(List<Step> steps) {

		private static final String MASK = "***";

		private static final Pattern STEP = Pattern.compile("(\\.\\.|\\.)([^.\\[\\]*]+)|(\\.\\*|\\[\\*\\])");

		static Path parse(String path) {
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
			return new Path(List.copyOf(steps));
		}

		/**
		 * Hides.
		 * @param node the document, changed
		 * @param depth how many steps led there
		 * @return whether something was hidden
		 */
		boolean mask(JsonNode node, int depth) {
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
		record Step(@Nullable String name, boolean anyDepth) {
		}

	}

}
