/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Why a failure is decided as it is, as recorded by the deciding classes.
 */
@NullMarked
package io.github.rabbitretry.internal.explain;

import org.jspecify.annotations.NullMarked;
