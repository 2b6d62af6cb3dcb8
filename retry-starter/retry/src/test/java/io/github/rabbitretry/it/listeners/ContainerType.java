/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.Locale;

/**
 * What {@code spring.rabbitmq.listener.type} may be.
 */
enum ContainerType {

	SIMPLE, DIRECT;

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
