/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The services that share a ledger: each registers its policies, and a console of its own
 * reads them.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.registry;

import org.jspecify.annotations.NullMarked;
