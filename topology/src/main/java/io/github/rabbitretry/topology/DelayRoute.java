/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;

/**
 * Where a copy is published to so that it comes back to the work queue after a delay.
 *
 * @param exchange the exchange to publish to
 * @param routingKey the routing key to publish with
 * @param delay how long the broker keeps the copy: the delay asked for or, where that is
 * no multiple of what the queues can measure, a little longer; shorter only where the
 * delay asked for is longer than all queues together can keep
 */
public record DelayRoute(String exchange, String routingKey, Duration delay) {
}
