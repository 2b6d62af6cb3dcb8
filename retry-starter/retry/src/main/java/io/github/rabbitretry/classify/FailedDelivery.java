/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import org.springframework.amqp.core.MessageProperties;

/**
 * The delivery that a failure belongs to, as far as a classifier may care. The payload is
 * not part of it.
 *
 * @param messageType the name of the message policy
 * @param attempt the broker attempts made before this delivery, 0 for the first delivery
 * @param properties the properties and headers as delivered; not to be changed
 */
public record FailedDelivery(String messageType, int attempt, MessageProperties properties) {
}
