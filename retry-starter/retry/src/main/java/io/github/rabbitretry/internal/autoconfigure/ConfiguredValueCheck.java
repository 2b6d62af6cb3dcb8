/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.configuration.ConfiguredValue;
import io.github.rabbitretry.internal.configuration.KeyTypes;
import io.github.rabbitretry.internal.configuration.KnownKeys;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * Mistakes in a single value that would pass, or that Boot explains without a remedy.
 */
final class ConfiguredValueCheck {

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*+}?");

	/** Without a unit Boot takes a number for milliseconds. */
	private static final Pattern FEW_MILLISECONDS = Pattern.compile("0*[1-9]\\d?");

	/** Lists of durations that are bound as texts, since a preset's name may be there. */
	private static final Set<String> TEXTUAL_DURATIONS = Set.of("schedule");

	/** May begin or end with a blank. */
	private static final Set<String> SECRETS = Set.of("managementpassword");

	private static final Set<Class<?>> WHOLE = Set.of(int.class, Integer.class, long.class, Long.class);

	private static final Pattern FRACTION = Pattern.compile("[+-]?\\d*+\\.\\d+");

	private ConfiguredValueCheck() {
	}

	static void check(ConfiguredValue value) {
		Type type = KeyTypes.of(value.path());
		if (type == null) {
			// not a key of ours, which Boot finds out
			dots(value);
			return;
		}
		resolved(value);
		if (type instanceof Class<?> group && group.isRecord()) {
			group(value, group);
		}
		else if (value.path().size() == 1 && value.ofPolicy()) {
			policies(value);
		}
		else if (type instanceof Class<?> single && single != String.class && value.resolved().isBlank()) {
			throw value.invalid("has no value", "Give it one, or remove the key for its default.");
		}
		if (type instanceof Class<?> number && WHOLE.contains(number) && FRACTION.matcher(value.resolved()).matches()) {
			throw value.invalid("is not a whole number", "Write one without a fraction.");
		}
		UnreadableValues.check(value, type);
		if (type == Duration.class || TEXTUAL_DURATIONS.contains(String.valueOf(value.lastKey()))) {
			unit(value);
		}
		else if (type == String.class && !SECRETS.contains(String.valueOf(value.lastKey()))) {
			blanks(value);
		}
	}

	/** A message type whose dots end the key's elements. */
	private static void dots(ConfiguredValue value) {
		List<String> path = value.path();
		for (int end = 3; value.ofPolicy() && end < path.size(); end++) {
			List<String> key = new ArrayList<>(path.subList(0, 2));
			key.addAll(path.subList(end, path.size()));
			if (KeyTypes.of(key) != null) {
				String type = String.join(".", path.subList(1, end));
				throw new InvalidConfigurationException("rabbit-retry.message-policies." + type, type,
						"has dots, which separate keys",
						"Write it in brackets, in YAML in quotes too: \"[%s]\".".formatted(type));
			}
		}
	}

	private static void resolved(ConfiguredValue value) {
		Matcher placeholder = PLACEHOLDER.matcher(value.resolved());
		if (placeholder.find() && !value.written().contains("\\${")) {
			throw new InvalidConfigurationException(value.property(), placeholder.group(),
					"is a placeholder that nothing resolves",
					"Set the property or environment variable that it names, or give it a default: ${NAME:default}.");
		}
	}

	private static void group(ConfiguredValue value, Class<?> group) {
		if (value.written().isBlank()) {
			return;
		}
		int last = value.path().size() - 1;
		String remedy = "The keys there are: %s.".formatted(String.join(", ", KnownKeys.keys(group)));
		if (value.is(last, "retryratio")) {
			remedy = "Write retry-ratio.max: %s.".formatted(value.written());
		}
		else if (value.is(last, "outage")) {
			remedy = "Write outage.enabled: %s.".formatted(value.written());
		}
		throw value.invalid("is a value, where a group of keys is expected", remedy);
	}

	private static void policies(ConfiguredValue value) {
		throw value.invalid(
				value.written().isBlank() ? "has no policies: no message is retried"
						: "is a value, where message types with their keys are expected",
				"Add a message type with its keys, message-policies.CreateOrderCommand.queue, or remove the key.");
	}

	private static void unit(ConfiguredValue value) {
		for (String text : value.resolved().split(",")) {
			String number = text.strip();
			if (FEW_MILLISECONDS.matcher(number).matches()) {
				throw value.invalid("is a number without a unit, which means %s ms".formatted(number),
						"Write the unit: %1$ss, %1$sm, %1$sh or %1$sd; %1$sms if milliseconds are meant."
							.formatted(number));
			}
		}
	}

	private static void blanks(ConfiguredValue value) {
		String text = value.resolved();
		if (!text.isBlank() && !text.equals(text.strip())) {
			throw value.invalid("begins or ends with a blank", "Remove the blank: '%s'.".formatted(text.strip()));
		}
	}

}
