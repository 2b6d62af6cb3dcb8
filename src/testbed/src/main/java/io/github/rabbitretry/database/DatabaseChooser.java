/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.util.Optional;

import io.github.rabbitretry.provision.Chooser;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.Shared;

/**
 * Chooses among the ways to a server. A named one is the only one that is tried.
 */
final class DatabaseChooser {

	static final Shared<Database> SHARED = new Shared<>(Database.class, Database::start);

	private DatabaseChooser() {
	}

	static Database start(Settings settings) {
		Optional<String> named = settings.get(Setting.DATABASE);
		if (named.isPresent()) {
			return NamedDatabase.connect(named.get());
		}
		Chooser chooser = new Chooser();
		return chooser.firstOf(Binaries.all(), Binaries::name, (binaries) -> ServerDatabase.start(binaries, settings))
			.orElseThrow(() -> new NoDatabaseException(chooser));
	}

}
