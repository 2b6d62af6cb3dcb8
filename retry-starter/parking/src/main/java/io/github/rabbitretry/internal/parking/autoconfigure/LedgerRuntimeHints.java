/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * What a native image has to keep for the ledger: the scripts of its tables, and the
 * records that its configuration is bound to.
 */
final class LedgerRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/rabbitretry/parking/schema/*/*.sql");
		BindableRuntimeHintsRegistrar
			.forTypes(LedgerProperties.class, ReplayProperties.class, LedgerPolicyProperties.class)
			.registerHints(hints, classLoader);
	}

}
