/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers as they came.
 */
public final class Json {

	/** A terminal obeys no escape that JSON spells out. */
	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(JsonWriteFeature.ESCAPE_NON_ASCII)
		.enable(SerializationFeature.INDENT_OUTPUT)
		.build();

	private Json() {
	}

	/**
	 * An answer as text.
	 * @param answer the answer
	 * @return the same JSON, in ASCII
	 */
	public static String text(JsonNode answer) {
		return MAPPER.writeValueAsString(answer) + '\n';
	}

}
