/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

/**
 * Who handles the messages.
 *
 * @param consumer the application's name
 * @param handlerVersion which code it is
 */
public record ConsumerIdentity(String consumer, String handlerVersion) {
}
