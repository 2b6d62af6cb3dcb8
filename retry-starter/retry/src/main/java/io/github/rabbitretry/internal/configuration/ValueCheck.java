/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * What is wrong with a value: what Spring Boot would bind without a word, and how to
 * write what it can't read.
 *
 * @param name its key
 * @param written as written
 * @param resolved with its placeholders resolved, as far as they can be
 */
record ValueCheck(ConfigurationPropertyName name, String written, String resolved) {

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*+}?");

	/** Without a unit Boot takes a number for milliseconds. */
	private static final Pattern FEW_MILLISECONDS = Pattern.compile("0*[1-9]\\d?");

	/** YAML reads it as a number, of which Boot takes the whole part. */
	private static final Pattern FRACTION = Pattern.compile("[+-]?(\\d*+\\.\\d+(E-?\\d+)?|NaN|Infinity)");

	/** YAML reads it as a number, which Boot takes for the index of a constant. */
	private static final Pattern INDEX = Pattern.compile("[+-]?\\d+");

	private static final Set<Class<?>> WHOLE_NUMBERS = Set.of(Integer.class, Long.class);

	static ValueCheck of(ConfigurationProperty property, Environment environment) {
		String written = String.valueOf(property.getValue());
		return new ValueCheck(property.getName(), written, environment.resolvePlaceholders(written));
	}

	void check(Class<?> type, BindContext context) {
		Matcher placeholder = PLACEHOLDER.matcher(this.resolved);
		if (placeholder.find() && !this.written.contains("\\${")) {
			throw new InvalidConfigurationException(StrictBindHandler.property(this.name), placeholder.group(),
					"is a placeholder that nothing resolves",
					"Set the property or environment variable that it names, or give it a default: ${NAME:default}.");
		}
		if (type == Object.class) {
			reader();
		}
		else if (type.isRecord()) {
			group(type);
		}
		else if (this.name.equals(StrictBindHandler.POLICIES)) {
			policies(context);
		}
		else if (type == String.class) {
			blanks();
		}
		else if (this.resolved.isBlank() && !Iterable.class.isAssignableFrom(type)) {
			throw invalid("has no value", "Give it one, or remove the key for its default.");
		}
		else if (WHOLE_NUMBERS.contains(ClassUtils.resolvePrimitiveIfNecessary(type))
				? FRACTION.matcher(this.resolved).matches() : type.isEnum() && INDEX.matcher(this.resolved).matches()) {
			throw unreadable(type);
		}
		// a list of durations that is bound as texts, since a preset's name may be there
		if (type == Duration.class || lastKey().equals("schedule")) {
			unit();
		}
	}

	/** Without its reader such a key would have no effect, which is noticed too late. */
	private void reader() {
		OptionalArtifact artifact = OptionalArtifact.of(this.name);
		if (!artifact.isPresent()) {
			throw invalid("needs %s, which is not on the class path".formatted(artifact.id), artifact.remedy);
		}
	}

	private void group(Class<?> type) {
		if (this.written.isBlank()) {
			return;
		}
		String remedy = switch (lastKey()) {
			case "retry-ratio" -> "Write retry-ratio.max: %s.".formatted(this.written);
			case "outage" -> "Write outage.enabled: %s.".formatted(this.written);
			default ->
				"The keys there are: %s.".formatted(Arrays.stream(type.getDeclaredConstructors()[0].getParameters())
					.map((component) -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
					.sorted()
					.collect(Collectors.joining(", ")));
		};
		throw invalid("is a value, where a group of keys is expected", remedy);
	}

	private void policies(BindContext context) {
		boolean elsewhere = StreamSupport.stream(context.getSources().spliterator(), false)
			.anyMatch((source) -> source.containsDescendantOf(this.name) == ConfigurationPropertyState.PRESENT);
		if (!this.written.isBlank() || !elsewhere) {
			throw invalid(
					this.written.isBlank() ? "has no policies: no message is retried"
							: "is a value, where message types with their keys are expected",
					"Add a message type with its keys, message-policies.CreateOrderCommand.queue, or remove the key.");
		}
	}

	private void blanks() {
		// a password may begin or end with a blank
		if (!this.resolved.isBlank() && !this.resolved.equals(this.resolved.strip()) && !isSecret()) {
			throw invalid("begins or ends with a blank", "Remove the blank: '%s'.".formatted(this.resolved.strip()));
		}
	}

	private void unit() {
		for (String text : this.resolved.split(",")) {
			String number = text.strip();
			if (FEW_MILLISECONDS.matcher(number).matches()) {
				throw invalid("is a number without a unit, which means %s ms".formatted(number),
						"Write the unit: %1$ss, %1$sm, %1$sh or %1$sd; %1$sms if milliseconds are meant."
							.formatted(number));
			}
		}
	}

	/**
	 * What to write instead of a value that could not be read.
	 * @param type the type that was expected
	 */
	InvalidConfigurationException unreadable(Class<?> type) {
		if (type.isEnum()) {
			return invalid("is not known there",
					"Use one of %s.".formatted(Arrays.stream(type.getEnumConstants())
						.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
						.collect(Collectors.joining(", "))));
		}
		return switch (ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()) {
			case "Boolean" -> invalid("is neither true nor false", "Write true or false.");
			case "Integer", "Long" ->
				invalid("is not a whole number, or is too large", "Write it in digits, without a fraction.");
			case "Double" -> invalid("is no number", "Write it in digits.");
			case "Duration" -> invalid("is no duration",
					"Write a whole number and its unit, without a blank: 500ms, 10s, 5m, 2h or 1d.");
			case "DataSize" ->
				invalid("is no size", "Write a whole number and its unit, without a blank: 64KB or 16MB.");
			default -> invalid("can't be read as " + type.getSimpleName(), "Correct it, or remove the key.");
		};
	}

	/** The last element of the key that is no index. */
	private String lastKey() {
		int last = this.name.getNumberOfElements() - 1;
		while (this.name.isNumericIndex(last)) {
			last--;
		}
		return this.name.getElement(last, Form.DASHED);
	}

	private boolean isSecret() {
		return lastKey().endsWith("password");
	}

	InvalidConfigurationException invalid(String relation, String remedy) {
		return new InvalidConfigurationException(StrictBindHandler.property(this.name),
				isSecret() ? "(not shown)" : this.written, relation, remedy);
	}

}
