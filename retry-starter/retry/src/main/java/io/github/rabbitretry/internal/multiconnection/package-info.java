/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Each policy's topology and dead letters are where its listener consumes: an application
 * may have several connection factories.
 */
@NullMarked
package io.github.rabbitretry.internal.multiconnection;

import org.jspecify.annotations.NullMarked;
