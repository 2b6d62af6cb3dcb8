/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The queues and exchanges of one retried message type, what travels between them in
 * headers, and how to read and draw them. Knows Spring AMQP's vocabulary, not Spring
 * Boot.
 */
@NullMarked
package io.github.rabbitretry.internal.topology;

import org.jspecify.annotations.NullMarked;
