/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.jspecify.annotations.Nullable;

/**
 * One parking of a message, whole.
 *
 * @param summary what is known of it
 * @param properties its properties and headers as they were in the parking lot, each with
 * its type
 * @param body its body, or {@code null} if none is stored; see
 * {@link ParkedSummary#payload()} for whether it is what was parked
 */
public record ParkedMessage(ParkedSummary summary, BasicProperties properties, byte @Nullable [] body) {
}
