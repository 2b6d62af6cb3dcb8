/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.outage.Dependencies;

/**
 * What each queue has for its policy.
 *
 * @param publishers where copies go
 * @param deduplicators know which messages were handled
 * @param dependencies the services that handlers call
 */
public record QueueServices(ConfirmedPublishers publishers, Deduplicators deduplicators, Dependencies dependencies) {
}
