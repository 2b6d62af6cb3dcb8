/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

/**
 * One or several bindings between the same two ends, of which the management API reports
 * only that they exist.
 *
 * @param source the exchange
 * @param destination the queue or exchange
 * @param toQueue whether the destination is a queue
 * @param reason what the management API answers
 */
public record UnreadableBinding(String source, String destination, boolean toQueue, String reason) {

	/**
	 * Tells whether these lead to a queue.
	 * @param queue its name
	 * @return whether they do
	 */
	public boolean leadsToQueue(String queue) {
		return this.toQueue && this.destination.equals(queue);
	}

	/**
	 * Tells whether these begin or end at an exchange.
	 * @param exchange its name
	 * @return whether they do
	 */
	public boolean isAtExchange(String exchange) {
		return this.source.equals(exchange) || !this.toQueue && this.destination.equals(exchange);
	}

	/**
	 * Describes these.
	 * @return which they are and what the management API answers, to be read by people
	 */
	public String description() {
		return "bindings of %s '%s' to exchange '%s': %s".formatted(this.toQueue ? "queue" : "exchange",
				this.destination, this.source, this.reason);
	}

}
