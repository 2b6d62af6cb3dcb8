/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Binds the keys of message policies. A policy inherits each key that it does not have
 * from the defaults, since to Spring Boot they are further sources of the same keys: a
 * list replaces the inherited one, a group of keys is filled up key by key, and what
 * neither has is the {@code @DefaultValue} of the record. Records may have lists and
 * groups, but no maps.
 */
public final class PolicyBinder {

	private static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("rabbit-retry.defaults");

	private static final String POLICIES = "rabbit-retry.message-policies";

	private final List<ConfigurationPropertySource> sources;

	private final PropertySourcesPlaceholdersResolver placeholders;

	/**
	 * Creates the binder.
	 * @param environment what has the properties below {@code rabbit-retry}
	 */
	public PolicyBinder(Environment environment) {
		this.sources = StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
			.toList();
		this.placeholders = new PropertySourcesPlaceholdersResolver(environment);
	}

	/**
	 * Binds what applies to a policy.
	 * @param <T> the type of the record
	 * @param messageType the policy's name
	 * @param type the record
	 * @return the policy's keys, those of the defaults where it has none
	 */
	public <T> T inherited(String messageType, Class<T> type) {
		return bind(type, Stream.concat(below(names(messageType)), below(DEFAULTS)));
	}

	/**
	 * Binds what a policy says itself.
	 * @param <T> the type of the record
	 * @param messageType the policy's name
	 * @param type the record
	 * @return the policy's own keys
	 */
	public <T> T own(String messageType, Class<T> type) {
		return bind(type, below(names(messageType)));
	}

	/**
	 * Binds what the defaults say.
	 * @param <T> the type of the record
	 * @param type the record
	 * @return the keys of the defaults
	 */
	public <T> T defaults(Class<T> type) {
		return bind(type, below(DEFAULTS));
	}

	private <T> T bind(Class<T> type, Stream<ConfigurationPropertySource> from) {
		return new Binder(from.toList(), this.placeholders).bindOrCreate("", type);
	}

	private Stream<ConfigurationPropertySource> below(ConfigurationPropertyName... prefixes) {
		return this.sources.stream()
			.<ConfigurationPropertySource>map((source) -> new Below(source, prefixes))
			.filter((source) -> source
				.containsDescendantOf(ConfigurationPropertyName.EMPTY) != ConfigurationPropertyState.ABSENT);
	}

	/** In brackets and without, which Spring Boot tells apart. */
	private static ConfigurationPropertyName[] names(String messageType) {
		ConfigurationPropertyName inBrackets = ConfigurationPropertyName.of(POLICIES).append("[" + messageType + "]");
		return messageType.contains(".") ? new ConfigurationPropertyName[] { inBrackets }
				: new ConfigurationPropertyName[] { ConfigurationPropertyName.adapt(POLICIES + "." + messageType, '.'),
						inBrackets };
	}

	/**
	 * The keys below a name as if nothing stood before them.
	 *
	 * @param source has the keys
	 * @param prefixes what stands before them, the first that has a key counts
	 */
	private record Below(ConfigurationPropertySource source,
			ConfigurationPropertyName... prefixes) implements ConfigurationPropertySource {

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			for (ConfigurationPropertyName prefix : this.prefixes) {
				ConfigurationProperty property = this.source.getConfigurationProperty(prefix.append(name));
				if (property != null) {
					return property;
				}
			}
			return null;
		}

		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			ConfigurationPropertyState state = ConfigurationPropertyState.ABSENT;
			for (ConfigurationPropertyName prefix : this.prefixes) {
				ConfigurationPropertyState one = this.source.containsDescendantOf(prefix.append(name));
				if (one == ConfigurationPropertyState.PRESENT) {
					return one;
				}
				state = (one == ConfigurationPropertyState.UNKNOWN) ? one : state;
			}
			return state;
		}

	}

}
