/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.List;

import io.github.rabbitretry.parking.message.PayloadState;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

	private final List<JsonPath> paths;

	JsonMasking(List<String> paths) {
		this.paths = paths.stream().map(JsonPath::parse).toList();
	}

	@Override
	public Stored apply(byte[] body) {
		try {
			JsonNode document = this.mapper.readTree(body);
			if (document == null || document.isMissingNode()) {
				return Stored.OMITTED;
			}
			boolean masked = false;
			for (JsonPath path : this.paths) {
				masked |= path.mask(document);
			}
			return masked ? new Stored(PayloadState.MASKED, this.mapper.writeValueAsBytes(document))
					: new Stored(PayloadState.WHOLE, body);
		}
		catch (JacksonException ex) {
			// unread, it may hold what is to be hidden
			return Stored.OMITTED;
		}
	}

}
