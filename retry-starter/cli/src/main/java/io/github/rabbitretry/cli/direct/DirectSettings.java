/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A configuration that is read without the service.
 *
 * @param config the configuration; of several files the later ones are stronger
 * @param broker another broker than the configuration's, or {@code null}
 * @param application the service's name, or {@code null} for the configuration's
 * @param verbose whether the log is shown
 */
public record DirectSettings(List<Path> config, @Nullable String broker, @Nullable String application,
		boolean verbose) {

	public DirectSettings {
		config = List.copyOf(config);
	}

}
