/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.handover.Acknowledgement;

/**
 * A message of the window, unacknowledged.
 *
 * @param acknowledgement its delivery
 * @param exchange the exchange that it was published to
 * @param routingKey the key that it was published with
 * @param properties its properties
 * @param body its body
 */
record UnackedMessage(Acknowledgement acknowledgement, String exchange, String routingKey, BasicProperties properties,
		byte[] body) {
}
