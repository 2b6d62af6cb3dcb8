/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a failure is: the classes, the built-in reasons, and the classifier that an
 * application adds.
 */
@NullMarked
package io.github.rabbitretry.classify;

import org.jspecify.annotations.NullMarked;
