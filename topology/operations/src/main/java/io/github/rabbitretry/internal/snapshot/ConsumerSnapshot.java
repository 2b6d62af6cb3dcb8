/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

/**
 * A consumer as the broker has it.
 *
 * @param queue the queue
 * @param tag its tag
 * @param exclusive whether it is the only consumer allowed
 * @param connection the connection, as the broker names it
 */
public record ConsumerSnapshot(String queue, String tag, boolean exclusive, String connection) {
}
