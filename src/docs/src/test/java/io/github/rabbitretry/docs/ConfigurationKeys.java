/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

/**
 * All keys of this project, as the metadata of its jars describes them.
 */
final class ConfigurationKeys {

	static final String POLICY = "rabbit-retry.defaults.";

	static final String RULES = "rabbit-retry.classification.rules";

	private ConfigurationKeys() {
	}

	/**
	 * Reads the metadata. Keys of a policy are there once, as defaults.
	 * @return by name
	 */
	static Map<String, ConfigurationKey> read() {
		try {
			Map<String, ConfigurationKey> keys = new LinkedHashMap<>();
			for (URL url : Collections
				.list(ClassUtils.getDefaultClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream metadata = url.openStream()) {
					JsonMapper.shared().readTree(metadata).get("properties").forEach((property) -> {
						ConfigurationKey key = key(property);
						if (isOurs(key)) {
							keys.put(key.name(), key);
						}
					});
				}
			}
			rules(keys.get(RULES)).forEach((key) -> keys.put(key.name(), key));
			return keys;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ConfigurationKey key(JsonNode property) {
		JsonNode unset = property.path("defaultValue");
		Object value = unset.isMissingNode() ? null
				: unset.isArray() ? unset.valueStream().map(JsonNode::asString).toList() : unset.asString();
		return new ConfigurationKey(property.get("name").asString(), property.path("type").asString(""), value,
				property.path("description").asString(""));
	}

	/**
	 * Keys of other artifacts are maps or objects here, and listed there key by key. What
	 * every actuator endpoint has is Spring Boot's.
	 */
	private static boolean isOurs(ConfigurationKey key) {
		return (key.name().startsWith("rabbit-retry.") || key.name()
			.matches(
					"management\\.endpoint\\.(parkinglot|replays|retryconsole|retryexplain|retryexport|retrytopology|waitingretries)\\..*"))
				&& !key.name().endsWith(".cache.time-to-live") && !key.name().endsWith(".access")
				&& !key.javaType().equals("java.util.Map<java.lang.String,java.lang.Object>")
				&& !key.javaType().equals("java.lang.Object");
	}

	/** Metadata does not describe what is in a list. */
	private static Stream<ConfigurationKey> rules(ConfigurationKey rules) {
		String type = rules.javaType().replaceAll(".*<|>", "");
		return Arrays.stream(ClassUtils.resolveClassName(type, null).getRecordComponents())
			.map((component) -> new ConfigurationKey(RULES + "[]." + dashed(component), component.getType().getName(),
					null, ""));
	}

	private static String dashed(RecordComponent component) {
		return ConfigurationPropertyName.adapt(component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(), '.')
			.toString();
	}

}
