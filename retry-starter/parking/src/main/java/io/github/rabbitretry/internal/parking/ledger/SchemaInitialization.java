/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

/**
 * When the ledger's tables are created where they are missing.
 */
public enum SchemaInitialization {

	/**
	 * In a database that runs in this process, in memory or in a file.
	 */
	EMBEDDED,

	/**
	 * In every database.
	 */
	ALWAYS,

	/**
	 * Nowhere.
	 */
	NEVER

}
