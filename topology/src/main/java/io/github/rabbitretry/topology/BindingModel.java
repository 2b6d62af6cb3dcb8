/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

/**
 * A binding to be declared.
 *
 * @param exchange where messages come from
 * @param routingKey the key that leads to the queue
 * @param queue where messages go to
 */
public record BindingModel(String exchange, String routingKey, String queue) {
}
