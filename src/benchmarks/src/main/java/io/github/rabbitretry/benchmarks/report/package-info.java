/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What all benchmarks have in common: options, figures and how they are printed.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.report;

import org.jspecify.annotations.NullMarked;
