/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Map;

/**
 * An exchange as it is on the broker.
 *
 * @param name its name
 * @param type its type
 * @param lasting whether it is durable and not deleted by itself
 * @param arguments what it was declared with
 */
record SeenExchange(String name, String type, boolean lasting, Map<String, Object> arguments) {

	SeenExchange {
		arguments = SeenQueue.comparable(arguments);
	}

}
