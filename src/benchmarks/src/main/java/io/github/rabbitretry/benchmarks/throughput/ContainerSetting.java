/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.HashMap;
import java.util.Map;

/**
 * How a listener's container consumes, and what.
 *
 * @param type {@code simple} or {@code direct}
 * @param prefetch how many messages each consumer is sent in advance
 * @param consumers how many consumers there are
 * @param bytes the size of a body
 */
record ContainerSetting(String type, int prefetch, int consumers, int bytes) {

	static final ContainerSetting DEFAULT = new ContainerSetting("simple", 250, 1, 256);

	Map<String, Object> properties() {
		return and(Map.of());
	}

	Map<String, Object> and(Map<String, Object> more) {
		Map<String, Object> properties = new HashMap<>(more);
		String prefix = "spring.rabbitmq.listener." + this.type;
		properties.put("spring.rabbitmq.listener.type", this.type);
		// the clock starts when the consumer does, not when the application does
		properties.put(prefix + ".auto-startup", false);
		properties.put(prefix + ".prefetch", this.prefetch);
		properties.put(prefix + (this.type.equals("simple") ? ".concurrency" : ".consumers-per-queue"), this.consumers);
		return properties;
	}

	@Override
	public String toString() {
		return "%s, prefetch %s, %s consumers, %s B".formatted(this.type, this.prefetch, this.consumers, this.bytes);
	}

}
