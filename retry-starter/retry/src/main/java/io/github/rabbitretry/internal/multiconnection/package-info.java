/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What differs in an application with several connection factories: each policy's
 * topology and dead letters are where its listener consumes.
 */
@NullMarked
package io.github.rabbitretry.internal.multiconnection;

import org.jspecify.annotations.NullMarked;
