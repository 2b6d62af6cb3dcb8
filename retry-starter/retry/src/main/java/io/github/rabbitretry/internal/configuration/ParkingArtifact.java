/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import org.springframework.util.ClassUtils;

/**
 * Whether the artifact is there that reads the keys {@code ledger}, {@code replay} and
 * {@code scan}.
 */
public final class ParkingArtifact {

	private ParkingArtifact() {
	}

	/**
	 * Whether rabbit-retry-parking is on the class path.
	 * @return {@code false} if its keys would have no effect
	 */
	public static boolean isPresent() {
		return ClassUtils.isPresent("io.github.rabbitretry.internal.parking.autoconfigure.LedgerProperties", null);
	}

}
