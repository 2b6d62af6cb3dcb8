/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Map;

import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the management API describes it.
 *
 * @param type its type as the broker calls it
 * @param lasting whether it is durable and deleted only by an operator
 * @param arguments the arguments of its declaration
 */
public record QueueDescription(String type, boolean lasting, Map<String, @Nullable Object> arguments) {

	public QueueType queueType() {
		return this.type.equals("quorum") ? QueueType.QUORUM : QueueType.CLASSIC;
	}

}
