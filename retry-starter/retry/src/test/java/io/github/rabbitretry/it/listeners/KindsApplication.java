/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;

/**
 * An application that has listeners of some kinds, and is started once for all of them.
 *
 * @param configuration its class
 * @param properties its properties
 */
record KindsApplication(Class<?> configuration, List<String> properties) {

	KindsApplication(Class<?> configuration, String... properties) {
		this(configuration, List.of(properties));
	}

}
