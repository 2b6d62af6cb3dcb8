/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Answers as tables, for terminals.
 */
@NullMarked
package io.github.rabbitretry.cli.output;

import org.jspecify.annotations.NullMarked;
