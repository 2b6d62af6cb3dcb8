/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A copy published and confirmed first, its original acknowledged only then.
 */
@NullMarked
package io.github.rabbitretry.internal.handover;

import org.jspecify.annotations.NullMarked;
