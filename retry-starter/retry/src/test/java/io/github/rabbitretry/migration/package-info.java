/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The migration guide, run as it stands.
 */
@NullMarked
package io.github.rabbitretry.migration;

import org.jspecify.annotations.NullMarked;
