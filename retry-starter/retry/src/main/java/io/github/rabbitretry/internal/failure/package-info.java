/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Failures as people see them: in logs and in the headers of parked messages, without the
 * payload.
 */
@NullMarked
package io.github.rabbitretry.internal.failure;

import org.jspecify.annotations.NullMarked;
