/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Map;

/**
 * Tells which records the keys of an artifact are bound to. Found through
 * {@code META-INF/spring.factories}.
 */
public interface SectionProvider {

	/** The name of what all keys are below. */
	String ROOT = "";

	/**
	 * The artifact's sections.
	 * @return records by the names of sections
	 */
	Map<String, Class<?>> sections();

}
