/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The queues, exchanges and bindings of one retried message type, and the way that each
 * delay takes through them. Knows Spring AMQP's vocabulary, not Spring Boot.
 */
@NullMarked
package io.github.rabbitretry.internal.topology;

import org.jspecify.annotations.NullMarked;
