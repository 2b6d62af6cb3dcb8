/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What reading the configuration takes, whichever artifact's keys they are.
 */
@NullMarked
package io.github.rabbitretry.internal.configuration;

import org.jspecify.annotations.NullMarked;
