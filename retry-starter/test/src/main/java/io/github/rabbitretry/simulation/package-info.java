/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Simulation of what a policy does to many messages while a service that their handlers
 * call is down.
 */
@NullMarked
package io.github.rabbitretry.simulation;

import org.jspecify.annotations.NullMarked;
