/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * One message policy, or the defaults of all. Every key may be left out.
 *
 * @param queue Work queue. Default is the message type in dotted lower case.
 * @param exchange Topic exchange to declare and to bind the work queue to.
 * @param routingKeys Routing keys to bind the work queue with. Default is the work
 * queue's name.
 * @param owner Who answers for the message type; stands in headers.
 * @param localAttempts Handler calls per delivery, 1 or more. Default is 2.
 * @param localDelay Wait between two handler calls of one delivery. Default is 100ms.
 * @param brokerAttempts Delayed redeliveries after the first delivery. Default is 5,
 * which means at most 6 deliveries.
 * @param maxRetryAge Longest time from the first failure to an attempt. Default is 2h.
 * @param maxCumulativeDelay Longest sum of delays. Default is no bound.
 * @param retryBackoff How broker attempts are spaced. Default is exponential-jitter.
 * @param initialDelay Delay before the first broker attempt. Default is 5s.
 * @param multiplier Factor from one exponential delay to the next, 1 or more. Default is
 * 6.
 * @param maxDelay Longest delay that back-off and jitter lead to. Default is 30m.
 * @param jitter Length of the window in which an exponential-jitter delay lies, as a part
 * of the delay, from 0 to 1. Default is 0.2.
 * @param schedule Delays of back-off schedule, or one preset: rocketmq or tdmq.
 * @param parkOn Reasons that park at once, whatever their failure class.
 * @param discardOn Reasons for which a message is acknowledged without success.
 * @param deliveryLimit How often the broker delivers a message whose consumers die before
 * it gives the message up, 1 or more. Default is 5.
 * @param replayPolicy When a parked message may be replayed, in the owner's words; stands
 * in a header. Default is AFTER_REVIEW.
 * @param names Names that differ from the derived ones.
 */
record PolicyProperties(@Nullable String queue, @Nullable String exchange, @Nullable List<String> routingKeys,
		@Nullable String owner, @Nullable Integer localAttempts, @Nullable Duration localDelay,
		@Nullable Integer brokerAttempts, @Nullable Duration maxRetryAge, @Nullable Duration maxCumulativeDelay,
		@Nullable BackoffKind retryBackoff, @Nullable Duration initialDelay, @Nullable Double multiplier,
		@Nullable Duration maxDelay, @Nullable Double jitter, @Nullable List<String> schedule,
		@Nullable Set<String> parkOn, @Nullable Set<String> discardOn, @Nullable Integer deliveryLimit,
		@Nullable String replayPolicy, @Nullable NamesProperties names) {

	private static final NamesProperties DERIVED = new NamesProperties(null, null, null, null, null);

	private static final PolicyProperties BUILT_IN = new PolicyProperties(null, null, List.of(), "unowned", 2,
			Duration.ofMillis(100), 5, Duration.ofHours(2), null, BackoffKind.EXPONENTIAL_JITTER, Duration.ofSeconds(5),
			6.0, Duration.ofMinutes(30), 0.2, List.of(), Set.of(), Set.of(), 5, "AFTER_REVIEW", DERIVED);

	/**
	 * These properties where they are set, others where they are not.
	 * @param others what fills the gaps
	 * @return the whole
	 */
	PolicyProperties or(PolicyProperties others) {
		return new PolicyProperties(or(this.queue, others.queue), or(this.exchange, others.exchange),
				or(this.routingKeys, others.routingKeys), or(this.owner, others.owner),
				or(this.localAttempts, others.localAttempts), or(this.localDelay, others.localDelay),
				or(this.brokerAttempts, others.brokerAttempts), or(this.maxRetryAge, others.maxRetryAge),
				or(this.maxCumulativeDelay, others.maxCumulativeDelay), or(this.retryBackoff, others.retryBackoff),
				or(this.initialDelay, others.initialDelay), or(this.multiplier, others.multiplier),
				or(this.maxDelay, others.maxDelay), or(this.jitter, others.jitter), or(this.schedule, others.schedule),
				or(this.parkOn, others.parkOn), or(this.discardOn, others.discardOn),
				or(this.deliveryLimit, others.deliveryLimit), or(this.replayPolicy, others.replayPolicy),
				or(this.names, others.names));
	}

	/**
	 * These properties, and the built-in defaults where they are not set.
	 * @return the whole
	 */
	PolicyProperties orBuiltIn() {
		return or(BUILT_IN);
	}

	private static <T> @Nullable T or(@Nullable T value, @Nullable T other) {
		return (value != null) ? value : other;
	}

	/**
	 * Names that differ from the derived ones.
	 *
	 * @param retryPrefix What retry queues' names begin with. Default is the work queue's
	 * name and '.retry'.
	 * @param ringExchange Exchange into and out of the retry queues. Default is the work
	 * queue's name and '.retry'.
	 * @param deadLetterExchange Exchange to the dead-letter queue and the parking lot.
	 * Default is the work queue's name and '.dlx'.
	 * @param deadLetterQueue Queue of what the broker gave up. Default is the work
	 * queue's name and '.dlq'.
	 * @param parkingLot Queue of parked messages. Default is the work queue's name and
	 * '.parking-lot'.
	 */
	record NamesProperties(@Nullable String retryPrefix, @Nullable String ringExchange,
			@Nullable String deadLetterExchange, @Nullable String deadLetterQueue, @Nullable String parkingLot) {
	}

}
