/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.json.JsonWriter;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * The keys that message policies are assembled from, each with the value that wins, so
 * that another process can assemble the same policies. No other keys are among them,
 * above all none with credentials.
 */
public final class ResolvedKeys {

	/**
	 * What a policy depends on: rules by their delays, and how long a consumer may hold.
	 */
	private static final List<ConfigurationPropertyName> KEPT = Stream
		.of("topology", "defaults", "message-policies", "classification.rules", "broker.consumer-timeout")
		.map(StrictBindHandler.PREFIX::append)
		.toList();

	private static final Bindable<Map<String, Map<String, Object>>> POLICIES = Bindable
		.of(ResolvableType.forClassWithGenerics(Map.class, ResolvableType.forClass(String.class),
				ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));

	/** Policy, or group of keys, and key come before the first index of a list. */
	private static final int FIRST_INDEX = 3;

	private ResolvedKeys() {
	}

	/**
	 * Writes the keys of an application.
	 * @param environment where they are set
	 * @return the keys as a JSON object of texts
	 */
	public static String write(Environment environment) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
		Map<String, ConfigurationPropertyName> policies = PolicyNames.in(environment);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (!(source.getUnderlyingSource() instanceof InheritedDefaults)) {
				sources.add(source);
				if (source instanceof IterableConfigurationPropertySource iterable) {
					iterable.stream()
						.filter(ResolvedKeys::kept)
						.map((name) -> PolicyNames.spelled(name, policies))
						.forEach(names::add);
				}
			}
		}
		policies.values().forEach((policy) -> names.addAll(all(policy, environment)));
		Map<String, String> keys = new LinkedHashMap<>();
		for (ConfigurationPropertyName name : names) {
			ConfigurationProperty property = property(sources, name);
			if (property != null) {
				put(keys, StrictBindHandler.property(name), property.getValue(), environment);
			}
		}
		return JsonWriter.<Map<String, String>>standard().writeToString(keys);
	}

	/** Those included that no property source lists, as some environment variables. */
	private static Set<ConfigurationPropertyName> all(ConfigurationPropertyName policy, Environment environment) {
		Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
		Binder.get(environment).bindOrCreate(policy, Bindable.of(PolicyProperties.class), new AbstractBindHandler() {

			@Override
			public <T> Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
				names.add(PolicyNames.spelled(name, Map.of("", policy)));
				return target;
			}

		});
		return names;
	}

	private static boolean kept(ConfigurationPropertyName name) {
		return KEPT.stream().anyMatch((kept) -> kept.equals(name) || kept.isAncestorOf(name));
	}

	/** Of the first source that has it, or that has another list in its place. */
	private static @Nullable ConfigurationProperty property(List<ConfigurationPropertySource> sources,
			ConfigurationPropertyName name) {
		ConfigurationPropertyName whole = whole(name);
		for (ConfigurationPropertySource source : sources) {
			if (source.getConfigurationProperty(whole) != null
					|| source.containsDescendantOf(whole) == ConfigurationPropertyState.PRESENT) {
				return source.getConfigurationProperty(name);
			}
		}
		return null;
	}

	/** The list, if it is of an element: one source provides all of them. */
	private static ConfigurationPropertyName whole(ConfigurationPropertyName name) {
		for (int index = FIRST_INDEX; index < name.getNumberOfElements(); index++) {
			if (name.isNumericIndex(index)) {
				return name.chop(index);
			}
		}
		return name;
	}

	private static void put(Map<String, String> keys, String key, Object value, Environment environment) {
		if (value instanceof Collection<?> elements) {
			int index = 0;
			for (Object element : elements) {
				put(keys, "%s[%s]".formatted(key, index++), element, environment);
			}
		}
		else if (value.getClass().isArray()) {
			put(keys, key,
					Stream.iterate(0, (index) -> index < Array.getLength(value), (index) -> index + 1)
						.map((index) -> Array.get(value, index))
						.toList(),
					environment);
		}
		else {
			keys.put(key, environment.resolvePlaceholders(value.toString()));
		}
	}

	/**
	 * Assembles the policies of another application. Keys that only its version knows are
	 * ignored.
	 * @param written what {@link #write} wrote there
	 * @return the policies
	 * @throws RuntimeException if that is no JSON, or the application would not start
	 * with it here
	 */
	public static MessagePolicies read(String written) {
		// the application itself has logged its warnings
		return new PolicyAssembler(RabbitRetryProperties.bind(environment(written), BindHandler.DEFAULT),
				withoutSources())
			.assemble();
	}

	/**
	 * The values of a key that the policies themselves have no use for.
	 * @param written what {@link #write} wrote there
	 * @param group the group of keys in a policy
	 * @param key the key in it, of a duration
	 * @return by message type; that of the defaults where a policy has none
	 */
	public static Map<String, Duration> durations(String written, String group, String key) {
		Binder binder = Binder.get(environment(written));
		Duration general = binder
			.bind("%s.defaults.%s.%s".formatted(StrictBindHandler.PREFIX, group, key), Duration.class)
			.orElse(null);
		Map<String, Duration> durations = new HashMap<>();
		binder.bind(StrictBindHandler.PREFIX.append("message-policies"), POLICIES)
			.orElse(Map.of())
			.forEach((type, groups) -> {
				Duration own = (groups.get(group) instanceof Map<?, ?> keys && keys.get(key) != null)
						? DurationStyle.detectAndParse(String.valueOf(keys.get(key))) : general;
				if (own != null) {
					durations.put(type, own);
				}
			});
		return durations;
	}

	private static ConfigurableEnvironment environment(String written) {
		if (!(Json.read(written) instanceof Map<?, ?> object)) {
			throw new IllegalArgumentException("not a JSON object");
		}
		Map<String, Object> keys = new LinkedHashMap<>();
		object.forEach((key, value) -> keys.put(String.valueOf(key), String.valueOf(value)));
		ConfigurableEnvironment environment = withoutSources();
		environment.getPropertySources().addFirst(new MapPropertySource("registered", keys));
		return environment;
	}

	private static ConfigurableEnvironment withoutSources() {
		return new AbstractEnvironment() {
		};
	}

}
