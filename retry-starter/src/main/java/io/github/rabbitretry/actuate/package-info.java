/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What operators can ask of a running service.
 */
@NullMarked
package io.github.rabbitretry.actuate;

import org.jspecify.annotations.NullMarked;
