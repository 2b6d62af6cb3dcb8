/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * Properties that validate themselves, each value and the relations between them, once
 * {@link StrictBindHandler} has bound them.
 */
interface ValidatedProperties {

	/**
	 * Validates the properties.
	 * @throws InvalidConfigurationException if they are invalid. Its property name is
	 * relative to these properties.
	 */
	void validate();

}
