/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application holds that has been running for a long time.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
