/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.health;

import java.util.List;
import java.util.Map;

/**
 * Reports current problems of one part of the application. Read whenever there is a
 * request for the application's health, so it must neither block nor throw.
 */
@FunctionalInterface
public interface HealthSource {

	/**
	 * The problems at the moment.
	 * @return the problems, empty if there are none
	 */
	List<HealthProblem> problems();

	/**
	 * What else is worth knowing at the moment.
	 * @return details by name, empty if there are none
	 */
	default Map<String, Object> details() {
		return Map.of();
	}

}
