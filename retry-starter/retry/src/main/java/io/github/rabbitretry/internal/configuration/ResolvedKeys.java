/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ObjectUtils;

/**
 * The keys that message policies are assembled from, each with the value that wins, so
 * that another process can assemble the same policies. No other keys are among them,
 * above all none with credentials.
 */
public final class ResolvedKeys {

	/**
	 * What a policy depends on: rules by their delays, and how long a consumer may hold.
	 * The defaults are inherited.
	 */
	private static final List<ConfigurationPropertyName> KEPT = Stream
		.of("topology", "message-policies", "classification.rules", "broker.consumer-timeout")
		.map(StrictBindHandler.PREFIX::append)
		.toList();

	private ResolvedKeys() {
	}

	/**
	 * Writes the keys of an application.
	 * @param environment where they are set
	 * @return the keys as a JSON object of texts
	 */
	public static String write(Environment environment) {
		InheritedDefaults.addTo((ConfigurableEnvironment) environment);
		Map<String, ConfigurationPropertyName> policies = PolicyNames.in(environment);
		Map<String, String> keys = new LinkedHashMap<>();
		Binder.get(environment)
			.bindOrCreate(StrictBindHandler.PREFIX, Bindable.of(RabbitRetryProperties.class),
					new AbstractBindHandler() {

						@Override
						public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
								Object result) {
							ConfigurationProperty property = context.getConfigurationProperty();
							// else its parts have properties of their own
							if (property != null && property.getName().equals(name) && isKept(name)) {
								put(keys, StrictBindHandler.property(PolicyNames.spelled(name, policies)),
										property.getValue(), environment);
							}
							return result;
						}

					});
		policies.values()
			.stream()
			.map(StrictBindHandler::property)
			.filter((policy) -> keys.keySet().stream().noneMatch((key) -> key.startsWith(policy + ".")))
			.forEach((policy) -> keys.put(policy, ""));
		return JsonWriter.<Map<String, String>>standard().writeToString(keys);
	}

	private static boolean isKept(ConfigurationPropertyName name) {
		return KEPT.stream().anyMatch((kept) -> kept.equals(name) || kept.isAncestorOf(name));
	}

	private static void put(Map<String, String> keys, String key, Object value, Environment environment) {
		Object[] elements = (value instanceof Collection<?> collection) ? collection.toArray()
				: value.getClass().isArray() ? ObjectUtils.toObjectArray(value) : null;
		if (elements == null) {
			keys.put(key, environment.resolvePlaceholders(value.toString()));
			return;
		}
		for (int index = 0; index < elements.length; index++) {
			put(keys, "%s[%s]".formatted(key, index), elements[index], environment);
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
		ConfigurableEnvironment environment = environment(written);
		InheritedDefaults.addTo(environment);
		Map<String, Duration> durations = new HashMap<>();
		PolicyNames.in(environment)
			.forEach((type, name) -> Binder.get(environment)
				.bind(name.append(group).append(key), Bindable.of(Duration.class))
				.ifBound((duration) -> durations.put(type, duration)));
		return durations;
	}

	private static ConfigurableEnvironment environment(String written) {
		Map<String, Object> keys = JsonParserFactory.getJsonParser().parseMap(written);
		ConfigurableEnvironment environment = withoutSources();
		environment.getPropertySources().addFirst(new MapPropertySource("registered", keys));
		return environment;
	}

	private static ConfigurableEnvironment withoutSources() {
		return new AbstractEnvironment() {
		};
	}

}
