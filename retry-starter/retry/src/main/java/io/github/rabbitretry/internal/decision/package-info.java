/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From a classified failure and a policy to what happens to the message.
 */
@NullMarked
package io.github.rabbitretry.internal.decision;

import org.jspecify.annotations.NullMarked;
