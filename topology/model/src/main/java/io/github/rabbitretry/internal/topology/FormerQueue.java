/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A work queue that a policy had before, with the queues and exchanges of its time: those
 * that the policy names itself now, and others under derived names. It is consumed until
 * it is empty, and never declared.
 *
 * @param queue the former work queue
 * @param names the policy's names that differ from the derived ones
 */
public record FormerQueue(String queue, TopologyNames names) {

	public String deadLetterQueue() {
		return named(this.names.deadLetterQueue(), ".dlq");
	}

	public String parkingLot() {
		return named(this.names.parkingLot(), ".parking-lot");
	}

	public String quarantine() {
		return named(this.names.quarantine(), ".quarantine");
	}

	public String ringExchange() {
		return named(this.names.ringExchange(), ".retry");
	}

	public String deadLetterExchange() {
		return named(this.names.deadLetterExchange(), ".dlx");
	}

	/**
	 * The former retry queue of a level that the policy has now.
	 * @param level the level
	 * @return its name
	 */
	public String retryQueue(DelayLevel level) {
		return named(this.names.retryPrefix(), ".retry") + "." + level.label();
	}

	private String named(@Nullable String name, String suffix) {
		return (name != null) ? name : this.queue + suffix;
	}

	/**
	 * What may hold messages before they are handled.
	 * @param levels delays of the former retry queues
	 * @return names of the work queue, the quarantine and the retry queues
	 */
	public List<String> unhandled(List<DelayLevel> levels) {
		return Stream.concat(Stream.of(this.queue, quarantine()), levels.stream().map(this::retryQueue)).toList();
	}

	public boolean bringsBack(String exchange) {
		return exchange.equals(ringExchange()) || exchange.equals(deadLetterExchange());
	}

}
