/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of a message policy that the ledger reads.
 *
 * @param ledger what the ledger keeps
 */
record PolicyKeys(@DefaultValue LedgerPolicyProperties ledger) {
}
