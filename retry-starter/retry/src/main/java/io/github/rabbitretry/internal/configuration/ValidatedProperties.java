/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * Properties that check themselves, each value and the relations between them, once
 * {@link StrictBindHandler} has bound them.
 */
public interface ValidatedProperties {

	/**
	 * Checks the properties.
	 * @throws InvalidConfigurationException if they can't work. Its property is relative
	 * to these properties.
	 */
	void validate();

}
