/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The operations application: the console as a process of its own, for all services of
 * one ledger.
 */
@NullMarked
package io.github.rabbitretry.internal.console.application;

import org.jspecify.annotations.NullMarked;
