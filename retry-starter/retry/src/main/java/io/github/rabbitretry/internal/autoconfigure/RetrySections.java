/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import io.github.rabbitretry.internal.configuration.SectionProvider;

/**
 * The record that all keys are bound to.
 */
final class RetrySections implements SectionProvider {

	@Override
	public Map<String, Class<?>> sections() {
		return Map.of(ROOT, RabbitRetryProperties.class);
	}

}
