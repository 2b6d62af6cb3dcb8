/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: a broker, a worker, orders of all kinds, and an account of every one of them.
 * It looks at the worker from the outside only.
 */
@NullMarked
package io.github.rabbitretry.sample.demo;

import org.jspecify.annotations.NullMarked;
