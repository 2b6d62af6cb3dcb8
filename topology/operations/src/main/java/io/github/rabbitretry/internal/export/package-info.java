/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application needs of its broker, for operators to import or to type.
 */
@NullMarked
package io.github.rabbitretry.internal.export;

import org.jspecify.annotations.NullMarked;
