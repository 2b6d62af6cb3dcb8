/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import org.springframework.amqp.core.MessageProperties;

/**
 * The delivery that failed, as far as it is relevant to a classifier. The payload is not
 * included.
 *
 * @param messageType the name of the message policy
 * @param attempt the broker attempts made before this delivery, 0 for the first delivery
 * @param properties the properties and headers as delivered; must not be changed
 */
public record FailedDelivery(String messageType, int attempt, MessageProperties properties) {
}
