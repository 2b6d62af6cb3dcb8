/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The drill: five experiments on the queue {@code payment.command.capture} of a worker
 * that runs as a process of its own, each with what was expected and what was seen. The
 * command and the tests run the same ones.
 */
@NullMarked
package io.github.rabbitretry.sample.drill;

import org.jspecify.annotations.NullMarked;
