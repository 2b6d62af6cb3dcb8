/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import io.github.rabbitretry.internal.container.ManagedContainer;

/**
 * What the stages of a container share.
 *
 * @param container the container
 * @param completion settles its deliveries
 * @param services what all containers share
 */
public record StageContext(ManagedContainer container, DeliveryCompletion completion, HandlingServices services) {
}
