/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What operators do with parked messages: replay, edit, discard, restore, and the audit
 * of it.
 */
@NullMarked
package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.NullMarked;
