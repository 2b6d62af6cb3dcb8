/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a message policy that the ledger reads.
 *
 * @param ledger what the ledger keeps
 */
record PolicyKeys(@Nullable LedgerPolicyProperties ledger) {

	static final PolicyKeys NONE = new PolicyKeys(null);

	static final PolicyKeys BUILT_IN = new PolicyKeys(LedgerPolicyProperties.BUILT_IN);

}
