/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.rabbitretry.classify.Reasons;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What editors know of the configuration.
 */
class ConfigurationMetadataTests {

	private static final JsonNode METADATA = read();

	@ParameterizedTest
	@MethodSource
	void everyKeyIsDescribedByASentence(String name, String description) {
		assertThat(description).isNotBlank().endsWith(".").matches("\\p{Lu}.*");
	}

	static Stream<Arguments> everyKeyIsDescribedByASentence() {
		return properties()
			.map((property) -> Arguments.of(property.path("name").asString(), property.path("description").asString()));
	}

	@Test
	void everyKeyOfAPolicyIsThereAsADefault() {
		List<String> names = properties().map((property) -> property.path("name").asString()).toList();
		Arrays.stream(PolicyProperties.class.getRecordComponents())
			.flatMap(ConfigurationMetadataTests::keys)
			.forEach((key) -> assertThat(names).contains("rabbit-retry.defaults." + key));
	}

	@Test
	void theDefaultsAreThoseThatApply() {
		Map<String, Object> documented = new LinkedHashMap<>();
		properties().filter((property) -> property.path("name").asString().startsWith("rabbit-retry.defaults."))
			.filter((property) -> property.has("defaultValue"))
			.forEach((property) -> documented.put(property.path("name").asString(),
					text(property.path("defaultValue"))));
		assertThat(documented).hasSizeGreaterThan(20);
		PolicyProperties bound = new Binder(new MapConfigurationPropertySource(documented))
			.bind("rabbit-retry.defaults", PolicyProperties.class)
			.get();
		PolicyProperties nothing = new Binder(new MapConfigurationPropertySource(Map.of()))
			.bindOrCreate("rabbit-retry.defaults", PolicyProperties.class);
		assertThat(bound.attempts()).isEqualTo(nothing.attempts()).isEqualTo(bound.brokerAttempts());
		documented.remove("rabbit-retry.defaults.broker-attempts");
		assertThat(new Binder(new MapConfigurationPropertySource(documented))
			.bind("rabbit-retry.defaults", PolicyProperties.class)
			.get()).isEqualTo(nothing);
	}

	@ParameterizedTest
	@ValueSource(strings = { "park-on", "discard-on" })
	void everyBuiltInReasonIsSuggested(String key) {
		assertThat(hints("rabbit-retry.defaults." + key)).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(Reasons.class.getFields()).map(ConfigurationMetadataTests::constant).toList());
	}

	@Test
	void everyBackoffAndEveryPresetIsSuggested() {
		assertThat(hints("rabbit-retry.defaults.retry-backoff"))
			.containsExactlyInAnyOrderElementsOf(Arrays.stream(BackoffKind.values())
				.map((kind) -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.toList());
		assertThat(String.join(", ", hints("rabbit-retry.defaults.schedule"))).isEqualTo(SchedulePresets.names());
	}

	private static Stream<String> keys(RecordComponent component) {
		String key = kebab(component.getName());
		return component.getType().isRecord() ? Arrays.stream(component.getType().getRecordComponents())
			.flatMap(ConfigurationMetadataTests::keys)
			.map((nested) -> key + "." + nested) : Stream.of(key);
	}

	private static String text(JsonNode value) {
		return value.isArray() ? stream(value).map(JsonNode::asString).collect(Collectors.joining(","))
				: value.asString();
	}

	private static Stream<JsonNode> properties() {
		return stream(METADATA.path("properties"));
	}

	private static List<String> hints(String name) {
		return stream(METADATA.path("hints")).filter((hint) -> hint.path("name").asString().equals(name))
			.flatMap((hint) -> stream(hint.path("values")))
			.map((value) -> value.path("value").asString())
			.toList();
	}

	private static Stream<JsonNode> stream(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false);
	}

	private static String constant(Field field) {
		try {
			return String.valueOf(field.get(null));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String kebab(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private static JsonNode read() {
		// the file of this module, not that of a library
		try (InputStream in = Objects.requireNonNull(RabbitRetryProperties.class.getProtectionDomain()
			.getCodeSource()
			.getLocation()
			.toURI()
			.resolve("META-INF/spring-configuration-metadata.json")
			.toURL()
			.openStream())) {
			return JsonMapper.shared().readTree(in);
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
