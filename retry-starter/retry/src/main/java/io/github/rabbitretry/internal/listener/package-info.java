/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Finds listeners of queues with a policy, and takes their containers over.
 */
@NullMarked
package io.github.rabbitretry.internal.listener;

import org.jspecify.annotations.NullMarked;
