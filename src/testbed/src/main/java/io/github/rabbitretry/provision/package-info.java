/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What brokers and databases of tests have in common: settings, the choice of a provider,
 * a supervisor of processes.
 */
@NullMarked
package io.github.rabbitretry.provision;

import org.jspecify.annotations.NullMarked;
