/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.Map;

import io.github.rabbitretry.internal.configuration.SectionProvider;

/**
 * The sections that are read here.
 */
final class ParkingSections implements SectionProvider {

	@Override
	public Map<String, Class<?>> sections() {
		return Map.of("ledger", LedgerProperties.class, "replay", ReplayProperties.class, "scan", ScanProperties.class,
				"policy.ledger", LedgerPolicyProperties.class);
	}

}
