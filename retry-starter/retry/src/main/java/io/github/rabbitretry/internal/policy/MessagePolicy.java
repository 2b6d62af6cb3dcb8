/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.Set;

import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * What one message type is allowed, complete and checked.
 *
 * @param messageType the policy's name
 * @param owner who answers for the message type
 * @param topology its queues
 * @param budget how much a message may cost
 * @param delays the delays before the broker attempts
 * @param hours the only hours in which retries are made, or {@code null} for any time
 * @param parkOn reasons that park at once
 * @param discardOn reasons that acknowledge without success
 * @param escalateAfter when a failing message is reported to its owner, or {@code null}
 * for never
 * @param ratio how many handler calls may be retries, or {@code null} for any
 * @param quarantineAfter how often a message may have been delivered to consumers that
 * died before it is handled apart from others, 1 or more, or 0 for never
 * @param rejection where business rejections are published, or {@code null} for nowhere
 * @param replayPolicy when a parked message may be replayed, in the owner's words
 * @param exceptionTexts what logs, headers and the ledger show of exceptions
 * @param deduplication how handled messages are remembered, or {@code null} if they are
 * not
 * @param outage when the service that the handler calls counts as down, or {@code null}
 * for never
 * @param ordering how messages are kept in order, or {@code null} if they are not
 */
public record MessagePolicy(String messageType, String owner, MessageTopology topology, Budget budget, DelayPlan delays,
		@Nullable BusinessHours hours, Set<String> parkOn, Set<String> discardOn, @Nullable EscalateAfter escalateAfter,
		@Nullable RetryRatio ratio, int quarantineAfter, @Nullable RejectionTarget rejection, String replayPolicy,
		ExceptionTexts exceptionTexts, @Nullable Deduplication deduplication, @Nullable OutageSettings outage,
		@Nullable Ordering ordering) {

	public MessagePolicy {
		parkOn = Set.copyOf(parkOn);
		discardOn = Set.copyOf(discardOn);
	}

	/**
	 * The work queue.
	 * @return its name
	 */
	public String queue() {
		return this.topology.queue();
	}

	/**
	 * Whether messages that consumers died with are handled apart from others.
	 * @return {@code true} if there is a queue for them, and they are to go there
	 */
	public boolean quarantined() {
		return this.topology.quarantined() && this.quarantineAfter > 0;
	}

	/**
	 * What tools for operators know of it.
	 * @return its topology
	 */
	public TypeTopology typeTopology() {
		return new TypeTopology(this.messageType, this.owner, this.topology, quarantined(),
				(this.rejection != null) ? this.rejection.exchange() : null);
	}

	public int localAttempts() {
		return this.budget.localAttempts();
	}

	public Duration localDelay() {
		return this.budget.localDelay();
	}

	public int brokerAttempts() {
		return this.budget.brokerAttempts();
	}

	public Duration maxRetryAge() {
		return this.budget.maxRetryAge();
	}

	public @Nullable Duration maxCumulativeDelay() {
		return this.budget.maxCumulativeDelay();
	}

	public @Nullable HandlerTime handlerTime() {
		return this.budget.handlerTime();
	}

}
