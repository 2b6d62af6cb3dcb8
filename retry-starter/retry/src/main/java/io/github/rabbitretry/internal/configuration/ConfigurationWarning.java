/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of what is configured and has no effect, or not the one that is probably meant.
 */
public final class ConfigurationWarning {

	private static final Log logger = LogFactory.getLog(ConfigurationWarning.class);

	private ConfigurationWarning() {
	}

	/**
	 * Warns that a property is not set.
	 * @param property the whole property
	 * @param consequence what follows
	 * @param remedy what to do, a sentence
	 */
	public static void notSet(String property, String consequence, String remedy) {
		logger.warn("%s is not set: %s. %s".formatted(property, consequence, remedy));
	}

	/**
	 * Logs a warning.
	 * @param property the whole property
	 * @param value the value given
	 * @param relation what is wrong with it
	 * @param remedy what to do, a sentence
	 */
	public static void log(String property, Object value, String relation, String remedy) {
		logger.warn(new InvalidConfigurationException(property, value, relation, remedy).getMessage());
	}

}
