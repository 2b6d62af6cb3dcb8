/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What commands ask, whichever way it goes.
 */
@NullMarked
package io.github.rabbitretry.cli.service;

import org.jspecify.annotations.NullMarked;
