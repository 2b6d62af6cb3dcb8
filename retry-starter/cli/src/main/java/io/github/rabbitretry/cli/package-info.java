/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The command line: commands, their options, and what they print.
 */
@NullMarked
package io.github.rabbitretry.cli;

import org.jspecify.annotations.NullMarked;
