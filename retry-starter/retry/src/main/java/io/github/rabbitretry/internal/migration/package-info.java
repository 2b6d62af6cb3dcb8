/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Leads from the topology on the broker to the configured one: a plan of small steps, and
 * its execution. There is no state beside the broker's: the plan of what is left is made
 * anew from what is there.
 */
@NullMarked
package io.github.rabbitretry.internal.migration;

import org.jspecify.annotations.NullMarked;
