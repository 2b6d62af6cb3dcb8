/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Outages of the services that handlers call, and when to consume again.
 */
@NullMarked
package io.github.rabbitretry.internal.outage;

import org.jspecify.annotations.NullMarked;
