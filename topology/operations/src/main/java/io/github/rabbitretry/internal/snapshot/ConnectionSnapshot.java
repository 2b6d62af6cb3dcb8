/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

/**
 * A connection as the broker has it.
 *
 * @param name how the broker names it
 * @param givenName how the client names it, or empty
 * @param user as whom it is connected
 * @param state its state as the broker calls it
 * @param published how many messages were published on its channels that are open
 */
public record ConnectionSnapshot(String name, String givenName, String user, String state, long published) {
}
