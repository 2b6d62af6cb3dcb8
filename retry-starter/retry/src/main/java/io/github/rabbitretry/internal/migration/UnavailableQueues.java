/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.function.Predicate;

/**
 * Queues on nodes that are down. What is in them can't be known or moved, and needs the
 * exchanges and bindings that steps may remove. So nothing is applied before they answer.
 */
final class UnavailableQueues {

	private final Draft draft;

	private final LiveTopology live;

	private final Predicate<String> ours;

	private final Predicate<String> exchanges;

	/**
	 * Creates it.
	 * @param draft the draft
	 * @param live what is on the broker
	 * @param ours tells by its name whether a queue is ours
	 * @param exchanges tells whether an exchange is, which others may dead-letter to
	 */
	UnavailableQueues(Draft draft, LiveTopology live, Predicate<String> ours, Predicate<String> exchanges) {
		this.draft = draft;
		this.live = live;
		this.ours = ours;
		this.exchanges = exchanges;
	}

	void refuse() {
		if (!this.draft.hasSteps()) {
			return;
		}
		for (SeenQueue queue : this.live.queues().values()) {
			if (!queue.available() && isNeeded(queue)) {
				this.draft.leaveAlone("queue '%s'".formatted(queue.name()),
						"it does not answer, so what is in it is not known: the node that it is on may be down. Nothing is applied before it answers");
				this.draft.obstacle(
						"Queue '%s' does not answer: the node that it is on may be down. Start that, and apply again."
							.formatted(queue.name()));
			}
		}
	}

	private boolean isNeeded(SeenQueue queue) {
		return this.ours.test(queue.name())
				|| queue.arguments().get("x-dead-letter-exchange") instanceof String exchange
						&& this.exchanges.test(exchange);
	}

}
