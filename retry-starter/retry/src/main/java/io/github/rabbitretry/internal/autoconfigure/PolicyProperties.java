/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.internal.configuration.RecordMerge;
import io.github.rabbitretry.internal.configuration.Section;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.WorkQueue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * One message policy, or the defaults of all. Every key may be left out.
 *
 * @param queue Work queue. Default is the message type in dotted lower case.
 * @param workQueue Who declares the work queue: declare, or existing for a queue that is
 * there and is verified, never declared and never bound. Default is declare.
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
 * @param calendar Business hours of back-off calendar: attempts outside of them wait for
 * the next opening.
 * @param ring Whose retry queues messages wait in. Default is per-type.
 * @param maxHandlerCalls Most handler calls that one message may cause at worst; a policy
 * that could cause more stops the start. Default is 100.
 * @param maxDownstreamCalls Most calls to other systems that handlers may tell of, over
 * all deliveries of a message. Default is no bound.
 * @param maxCost Most units of cost that handlers may tell of, over all deliveries of a
 * message. Default is no bound.
 * @param retryRatio How many handler calls may be retries.
 * @param escalateAfter Broker attempt, as 3, or time since the first failure, as 30m,
 * after which the owner is told while retrying goes on. Default is never.
 * @param poison What counts as a sign of poison.
 * @param rejection Where events go that tell of business rejections.
 * @param parkOn Reasons that park at once, whatever their failure class.
 * @param discardOn Reasons for which a message is acknowledged without success.
 * @param deliveryLimit How often the broker delivers a message whose consumers die before
 * it gives the message up, 1 or more. Default is 5.
 * @param replayPolicy When a parked message may be replayed, in the owner's words; stands
 * in a header. Default is AFTER_REVIEW.
 * @param onParkReply What the sender of a request with reply-to gets when the request is
 * parked. Default is none.
 * @param names Names that differ from the derived ones.
 * @param ledger What the ledger keeps; keys of rabbit-retry-parking.
 */
record PolicyProperties(@Nullable String queue, @Nullable WorkQueue workQueue, @Nullable String exchange,
		@Nullable List<String> routingKeys, @Nullable String owner, @Nullable Integer localAttempts,
		@Nullable Duration localDelay, @Nullable Integer brokerAttempts, @Nullable Duration maxRetryAge,
		@Nullable Duration maxCumulativeDelay, @Nullable BackoffKind retryBackoff, @Nullable Duration initialDelay,
		@Nullable Double multiplier, @Nullable Duration maxDelay, @Nullable Double jitter,
		@Nullable List<String> schedule, @Nullable @NestedConfigurationProperty CalendarProperties calendar,
		@Nullable RetryQueueScope ring, @Nullable Long maxHandlerCalls, @Nullable Long maxDownstreamCalls,
		@Nullable Long maxCost, @Nullable @NestedConfigurationProperty RetryRatioProperties retryRatio,
		@Nullable String escalateAfter, @Nullable @NestedConfigurationProperty PoisonProperties poison,
		@Nullable @NestedConfigurationProperty RejectionProperties rejection, @Nullable Set<String> parkOn,
		@Nullable Set<String> discardOn, @Nullable Integer deliveryLimit, @Nullable String replayPolicy,
		@Nullable ParkReply onParkReply, @Nullable NamesProperties names,
		@Nullable @Section("policy.ledger") Map<String, Object> ledger) {

	private static final PolicyProperties BUILT_IN = new PolicyProperties(null, WorkQueue.DECLARE, null, List.of(),
			"unowned", 2, Duration.ofMillis(100), null, Duration.ofHours(2), null, BackoffKind.EXPONENTIAL_JITTER,
			Duration.ofSeconds(5), 6.0, Duration.ofMinutes(30), 0.2, List.of(), CalendarProperties.BUILT_IN,
			RetryQueueScope.PER_TYPE, 100L, null, null, RetryRatioProperties.BUILT_IN, null, PoisonProperties.BUILT_IN,
			RejectionProperties.BUILT_IN, Set.of(), Set.of(), 5, "AFTER_REVIEW", ParkReply.NONE,
			new NamesProperties(null, null, null, null, null, null, null, null), null);

	/**
	 * These properties where they are set, others where they are not.
	 * @param others what fills the gaps
	 * @return the whole
	 */
	PolicyProperties or(PolicyProperties others) {
		return RecordMerge.merge(this, others);
	}

	/**
	 * These properties, and the built-in defaults where they are not set.
	 * @return the whole
	 */
	PolicyProperties orBuiltIn() {
		PolicyProperties whole = or(BUILT_IN);
		return whole.or(attempts(preset(whole).orElse(5)));
	}

	private static Optional<Integer> preset(PolicyProperties whole) {
		return (whole.retryBackoff == BackoffKind.SCHEDULE && whole.schedule != null)
				? SchedulePresets.attempts(whole.schedule) : Optional.empty();
	}

	private static PolicyProperties attempts(int brokerAttempts) {
		return new PolicyProperties(null, null, null, null, null, null, null, brokerAttempts, null, null, null, null,
				null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
				null, null, null);
	}

	/**
	 * Business hours.
	 *
	 * @param days Days of the week that are open. Default is MONDAY to FRIDAY.
	 * @param opens When they open, local time. Default is 09:00.
	 * @param closes When they close, local time; 00:00 is the end of the day. Default is
	 * 17:00.
	 * @param zone Time zone whose local time it is, as Europe/Berlin. Must be set for
	 * back-off calendar.
	 * @param holidays Days that are closed all the same, as 2026-12-25.
	 */
	record CalendarProperties(@Nullable List<String> days, @Nullable String opens, @Nullable String closes,
			@Nullable String zone, @Nullable List<String> holidays) {

		static final CalendarProperties BUILT_IN = new CalendarProperties(
				List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"), "09:00", "17:00", null, List.of());

	}

	/**
	 * How many handler calls may be retries.
	 *
	 * @param max Retries as a part of first deliveries, from 0.001 to 1. Default is no
	 * bound.
	 * @param window Time over which both are counted. Default is 1m.
	 * @param atLeast Retries in a window that are always allowed. Default is 10.
	 */
	record RetryRatioProperties(@Nullable Double max, @Nullable Duration window, @Nullable Integer atLeast) {

		static final RetryRatioProperties BUILT_IN = new RetryRatioProperties(null, Duration.ofMinutes(1), 10);

	}

	/**
	 * What counts as a sign of poison.
	 *
	 * @param quarantineAfter Deliveries to consumers that died after which a message is
	 * handled apart from others; 0 for never. Default is 2, or delivery-limit if that is
	 * 1.
	 * @param dominance Part of a message type's failures that one fingerprint, schema
	 * version or producer version has to have to be a sign. Default is 0.8.
	 * @param minFailures Failures within the window before anything is a sign. Default is
	 * 20.
	 * @param window Time over which failures are counted. Default is 5m.
	 */
	record PoisonProperties(@Nullable Integer quarantineAfter, @Nullable Double dominance,
			@Nullable Integer minFailures, @Nullable Duration window) {

		static final PoisonProperties BUILT_IN = new PoisonProperties(null, 0.8, 20, Duration.ofMinutes(5));

	}

	/**
	 * Where events go that tell of business rejections.
	 *
	 * @param exchange Topic exchange to declare and to publish the events to. Default is
	 * none, so that handlers can't reject.
	 * @param routingKey Routing key of the events. Default is the work queue's name and
	 * '.rejected'.
	 * @param mandatory Whether an event that no queue takes holds the message back until
	 * one does. Default is true.
	 */
	record RejectionProperties(@Nullable String exchange, @Nullable String routingKey, @Nullable Boolean mandatory) {

		static final RejectionProperties BUILT_IN = new RejectionProperties(null, null, true);

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
	 * @param delayPrefix What the names of the queues for other delays begin with.
	 * Default is the work queue's name and '.delay'.
	 * @param quarantine Queue of messages that consumers died with. Default is the work
	 * queue's name and '.quarantine'.
	 * @param undeliverable Queue of dead letters whose delivery ends every consumer.
	 * Default is the work queue's name and '.undeliverable'.
	 */
	record NamesProperties(@Nullable String retryPrefix, @Nullable String ringExchange,
			@Nullable String deadLetterExchange, @Nullable String deadLetterQueue, @Nullable String parkingLot,
			@Nullable String delayPrefix, @Nullable String quarantine, @Nullable String undeliverable) {
	}

}
