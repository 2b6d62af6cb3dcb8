/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.List;
import java.util.stream.Stream;

/**
 * A work queue that a policy had before, with the queues and exchanges of its time, which
 * have derived names. It is consumed until it is empty, and never declared.
 *
 * @param queue the former work queue
 */
public record FormerQueue(String queue) {

	public String deadLetterQueue() {
		return this.queue + ".dlq";
	}

	public String parkingLot() {
		return this.queue + ".parking-lot";
	}

	public String quarantine() {
		return this.queue + ".quarantine";
	}

	public String ringExchange() {
		return this.queue + ".retry";
	}

	public String deadLetterExchange() {
		return this.queue + ".dlx";
	}

	/**
	 * The former retry queue of a level that the policy has now.
	 * @param level the level
	 * @return its name
	 */
	public String retryQueue(DelayLevel level) {
		return this.queue + ".retry." + level.label();
	}

	/**
	 * What may hold messages before they are handled.
	 * @param levels delays of the former retry queues
	 * @return names of the work queue, the quarantine and the retry queues
	 */
	public List<String> unhandled(List<DelayLevel> levels) {
		return Stream.concat(Stream.of(this.queue, quarantine()), levels.stream().map(this::retryQueue)).toList();
	}

	boolean bringsBack(String exchange) {
		return exchange.equals(ringExchange()) || exchange.equals(deadLetterExchange());
	}

}
