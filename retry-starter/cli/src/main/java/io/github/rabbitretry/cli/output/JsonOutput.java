/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.io.StringWriter;
import java.util.Map;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.TreeTraversingParser;

/**
 * Answers as trees and trees as text. Jackson's mapper would do the same, but setting it
 * up takes three times the processor time of all else that a request needs.
 */
public final class JsonOutput {

	/** A terminal obeys no escape that JSON spells out. */
	private static final JsonFactory FACTORY = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

	private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

	private JsonOutput() {
	}

	/**
	 * Reads an answer.
	 * @param bytes JSON
	 * @return the answer, missing if there is none
	 * @throws tools.jackson.core.JacksonException if it is no JSON
	 */
	public static JsonNode read(byte[] bytes) {
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
			return (parser.nextToken() != null) ? value(parser) : NODES.missingNode();
		}
	}

	private static JsonNode value(JsonParser parser) {
		return switch (parser.currentToken()) {
			case START_OBJECT -> object(parser);
			case START_ARRAY -> array(parser);
			case VALUE_STRING -> NODES.stringNode(parser.getString());
			case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
			case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
			case VALUE_TRUE -> NODES.booleanNode(true);
			case VALUE_FALSE -> NODES.booleanNode(false);
			default -> NODES.nullNode();
		};
	}

	private static JsonNode object(JsonParser parser) {
		ObjectNode object = NODES.objectNode();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			parser.nextToken();
			object.set(name, value(parser));
		}
		return object;
	}

	private static JsonNode array(JsonParser parser) {
		ArrayNode array = NODES.arrayNode();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			array.add(value(parser));
		}
		return array;
	}

	/**
	 * An answer as text.
	 * @param answer the answer
	 * @return the same JSON, in ASCII
	 */
	public static String text(JsonNode answer) {
		StringWriter text = new StringWriter();
		try (JsonGenerator generator = FACTORY.createGenerator(new Indented(), text);
				JsonParser parser = new TreeTraversingParser(answer)) {
			parser.nextToken();
			generator.copyCurrentStructure(parser);
		}
		return text.append('\n').toString();
	}

	/**
	 * A flat object as text.
	 * @param values its fields
	 * @return JSON
	 */
	public static String text(Map<String, String> values) {
		StringWriter text = new StringWriter();
		try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
			generator.writeStartObject();
			values.forEach(generator::writeStringProperty);
			generator.writeEndObject();
		}
		return text.toString();
	}

	private static final class Indented extends ObjectWriteContext.Base {

		@Override
		public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
			return new DefaultPrettyPrinter();
		}

		@Override
		public boolean hasPrettyPrinter() {
			return true;
		}

	}

}
