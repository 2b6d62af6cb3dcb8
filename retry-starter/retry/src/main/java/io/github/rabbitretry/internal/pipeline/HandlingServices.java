/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.InstantSource;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.decision.Decider;

/**
 * What deliveries of all containers are handled with.
 *
 * @param classification says what failures are
 * @param decider says what to do about them
 * @param events the listener to notify
 * @param observer the observer to notify
 * @param clock what time it is
 */
public record HandlingServices(ClassificationChain classification, Decider decider, DeliveryListener events,
		AttemptObserver observer, InstantSource clock) {
}
