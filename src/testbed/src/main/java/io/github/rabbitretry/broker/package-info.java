/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A real RabbitMQ for the demo, the tests and the benchmarks: a named one, one in Docker,
 * an installed one or one unpacked from a distribution's packages, behind one interface.
 */
@NullMarked
package io.github.rabbitretry.broker;

import org.jspecify.annotations.NullMarked;
