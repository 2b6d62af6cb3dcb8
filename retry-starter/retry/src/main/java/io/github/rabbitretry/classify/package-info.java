/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Classification of failures: the classes, the built-in reasons, and classifiers that
 * applications add.
 */
@NullMarked
package io.github.rabbitretry.classify;

import org.jspecify.annotations.NullMarked;
