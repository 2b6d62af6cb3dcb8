/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A durable queue to be declared.
 *
 * @param name the queue's name
 * @param role what it is for
 * @param arguments the arguments of its declaration, {@code x-queue-type} included
 */
public record QueueModel(String name, QueueRole role, Map<String, Object> arguments) {

	public QueueModel {
		arguments = Collections.unmodifiableMap(new TreeMap<>(arguments));
	}

}
