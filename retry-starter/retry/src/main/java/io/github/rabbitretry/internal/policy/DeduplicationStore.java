/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * Where it is remembered which messages were handled.
 */
public enum DeduplicationStore {

	/** Nowhere: a message that is delivered again is handled again. */
	NONE,

	/** In this process, for as long as it runs. */
	IN_MEMORY,

	/** In the ledger's database, in the handler's transaction. */
	JDBC,

	/** Where the application's {@code MessageDeduplicator} bean does. */
	BEAN

}
