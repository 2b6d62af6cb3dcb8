/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runs the deciding code of listeners on a virtual clock.
 */
@NullMarked
package io.github.rabbitretry.internal.simulation;

import org.jspecify.annotations.NullMarked;
