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
 * How to get to broker and ledger.
 *
 * @param config the service's configuration, of several files the later ones are
 * stronger; or none for what the environment says
 * @param broker another broker, without a password, or {@code null}
 * @param database another database, without a password, or {@code null}
 * @param application the service's name, or {@code null} if the configuration says it
 * @param verbose whether the log is shown
 * @param works whether replays are worked on
 */
public record DirectSettings(List<Path> config, @Nullable String broker, @Nullable String database,
		@Nullable String application, boolean verbose, boolean works) {

	public DirectSettings {
		config = List.copyOf(config);
	}

	DirectSettings(@Nullable Path config, @Nullable String broker, @Nullable String database,
			@Nullable String application, boolean verbose, boolean works) {
		this((config != null) ? List.of(config) : List.of(), broker, database, application, verbose, works);
	}

}
