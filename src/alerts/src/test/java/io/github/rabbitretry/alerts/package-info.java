/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the alerts, the dashboard and the metrics that the documentation names.
 */
@NullMarked
package io.github.rabbitretry.alerts;

import org.jspecify.annotations.NullMarked;
