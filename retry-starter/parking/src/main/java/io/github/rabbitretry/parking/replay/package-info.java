/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Operations on parked messages: replay, edit, discard and restore, and their audit.
 */
@NullMarked
package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.NullMarked;
