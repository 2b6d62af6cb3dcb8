/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What is lost when things are killed, cut, deleted or blocked in the middle of a run:
 * nothing.
 */
@NullMarked
package io.github.rabbitretry.chaos;

import org.jspecify.annotations.NullMarked;
