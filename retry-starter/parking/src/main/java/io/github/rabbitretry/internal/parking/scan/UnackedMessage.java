/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;

/**
 * A message of the window, unacknowledged.
 *
 * @param acknowledgement its delivery
 * @param properties its properties
 * @param body its body
 */
record UnackedMessage(Acknowledgement acknowledgement, BasicProperties properties, byte[] body) {
}
