/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

@NullMarked
package io.github.rabbitretry.internal.console.application;

import org.jspecify.annotations.NullMarked;
