/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayService;

/**
 * What there is with a ledger.
 *
 * @param service runs replays
 * @param messages edits messages
 * @param audit tells what was done
 */
public record ReplayServices(ReplayService service, ParkedMessageService messages, AuditLog audit) {
}
