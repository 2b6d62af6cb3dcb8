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
 * What the ledger stores of one message type.
 *
 * @param retention How long a parked message stays in the ledger, regardless of its
 * state. Default is unlimited.
 * @param storePayload Whether bodies are stored; a message without its body cannot be
 * replayed. Default is true.
 * @param maskedPaths JSON paths whose values are masked, such as $.card.number,
 * $.items[*].iban or $..password. A message with such a value cannot be replayed. A body
 * that is not JSON is not stored.
 */
record LedgerPolicyProperties(@Nullable Duration retention, @DefaultValue("true") boolean storePayload,
		@DefaultValue List<String> maskedPaths) {
}
