/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * A durable exchange to be declared.
 *
 * @param name the exchange's name
 * @param type {@code direct} or {@code topic}
 */
public record ExchangeModel(String name, String type) {
}
