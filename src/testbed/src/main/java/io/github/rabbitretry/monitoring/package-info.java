/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A real Prometheus for tests.
 */
@NullMarked
package io.github.rabbitretry.monitoring;

import org.jspecify.annotations.NullMarked;
