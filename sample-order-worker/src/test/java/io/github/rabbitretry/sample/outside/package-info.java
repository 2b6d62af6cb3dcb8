/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The worker as its producers, its readers and its operators know it: a process, queues,
 * events, HTTP. What the demo and the drill are made of.
 */
@NullMarked
package io.github.rabbitretry.sample.outside;

import org.jspecify.annotations.NullMarked;
