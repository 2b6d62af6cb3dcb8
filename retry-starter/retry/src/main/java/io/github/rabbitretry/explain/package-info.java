/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What would become of a failure, and why.
 */
@NullMarked
package io.github.rabbitretry.explain;

import org.jspecify.annotations.NullMarked;
