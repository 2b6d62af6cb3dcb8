/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * The sections of the configuration whose artifacts are on the class path.
 */
public final class Sections {

	private static final Map<String, Class<?>> TYPES = load();

	private Sections() {
	}

	private static Map<String, Class<?>> load() {
		Map<String, Class<?>> types = new HashMap<>();
		SpringFactoriesLoader.forDefaultResourceLocation(Sections.class.getClassLoader())
			.load(SectionProvider.class)
			.forEach((provider) -> types.putAll(provider.sections()));
		return Map.copyOf(types);
	}

	/**
	 * The record that all keys below {@code rabbit-retry} are bound to.
	 * @return the record
	 */
	static Class<?> root() {
		return Objects.requireNonNull(TYPES.get(SectionProvider.ROOT), "the retry artifact provides the root");
	}

	/**
	 * Whether the artifact that reads a section is there.
	 * @param name the section's name
	 * @return {@code false} if its keys would have no effect
	 */
	public static boolean present(String name) {
		return TYPES.containsKey(name);
	}

	/**
	 * The record that a component's keys are bound to.
	 * @param component a component of a configuration record
	 * @return the record, or {@code null} if the component is no section or nobody reads
	 * it
	 */
	public static @Nullable Class<?> type(RecordComponent component) {
		Section section = component.getAnnotation(Section.class);
		return (section != null) ? TYPES.get(section.value()) : null;
	}

}
