/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What happens to deliveries, for listeners of an application.
 */
@NullMarked
package io.github.rabbitretry.event;

import org.jspecify.annotations.NullMarked;
