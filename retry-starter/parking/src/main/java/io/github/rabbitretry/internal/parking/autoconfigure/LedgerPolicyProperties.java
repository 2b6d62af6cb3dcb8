/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the ledger keeps of one message type.
 *
 * @param retention How long a parked message stays in the ledger, whatever became of it.
 * Default is for ever.
 * @param storePayload Whether bodies are stored. A message without its body can't be
 * replayed. Default is true.
 * @param maskedPaths Where in JSON bodies values are hidden, as $.card.number,
 * $.items[*].iban or $..password. A message that had one can't be replayed; a body that
 * is no JSON is not stored.
 */
record LedgerPolicyProperties(@Nullable Duration retention, @DefaultValue("true") boolean storePayload,
		@DefaultValue List<String> maskedPaths) {
}
