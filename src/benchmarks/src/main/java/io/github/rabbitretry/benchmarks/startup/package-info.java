/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application with many message types takes to start, and to stand idle.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
