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
 * @param workQueue Whether the work queue is declared, or exists and is only verified,
 * never declared and never bound. Default is declare.
 * @param exchange Topic exchange to declare and to bind the work queue to. Default is
 * none.
 * @param routingKeys Routing keys to bind the work queue with. Default is the work
 * queue's name.
 * @param owner Who is responsible for the message type, for headers and metrics.
 * @param localAttempts Handler calls per delivery, 1 or more. Default is 2.
 * @param localDelay Wait between two handler calls of one delivery. Default is 100ms.
 * @param brokerAttempts Delayed redeliveries after the first delivery. Default is 5,
 * which means at most 6 deliveries.
 * @param maxRetryAge Longest time from the first failure to the beginning of an attempt.
 * Default is 2h.
 * @param maxCumulativeDelay Longest sum of delays. Default is no bound.
 * @param retryBackoff How broker attempts are spaced. Default is exponential-jitter.
 * @param initialDelay Delay before the first broker attempt. Default is 5s.
 * @param multiplier Factor from one exponential delay to the next, 1 or more. Default is
 * 6.
 * @param maxDelay Longest delay that the back-off leads to. Default is 30m.
 * @param jitter Length of the window in which an exponential-jitter delay lies, as a part
 * of the delay, from 0 to 1. Default is 0.2.
 * @param schedule Delays of back-off schedule, the last one repeated; or one preset,
 * rocketmq or tdmq.
 * @param calendar Business hours of back-off calendar: attempts outside of them wait for
 * the next opening.
 * @param ring Whose retry queues messages wait in. Default is per-type.
 * @param maxHandlerCalls Most handler calls that one message may cause: local-attempts x
 * (1 + broker-attempts). A higher number fails startup. Default is 100.
 * @param maxDownstreamCalls Most calls to other systems that the handler may report, over
 * all deliveries of a message. Default is no bound.
 * @param maxCost Most units of cost that the handler may report, over all deliveries of a
 * message. Default is no bound.
 * @param retryRatio How many handler calls may be retries.
 * @param escalateAfter Broker attempt, such as 3, or time since the first failure, such
 * as 30m, after which it is reported once that a message keeps failing. Default is never.
 * @param poison Poison messages.
 * @param rejection Events of business rejections.
 * @param parkOn Reasons that park at once, whatever their failure class.
 * @param discardOn Reasons for which a message is acknowledged without success.
 * @param deliveryLimit How often the broker delivers a message whose consumers die before
 * it dead-letters the message, 1 or more. Default is 5.
 * @param replayPolicy Note of the owner on when a parked message may be replayed, for a
 * header. Default is AFTER_REVIEW.
 * @param onParkReply Reply to the sender of a request with reply-to when the request is
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
	 * @param days Days of the week with business hours. Default is MONDAY to FRIDAY.
	 * @param opens Local time at which business hours begin. Default is 09:00.
	 * @param closes Local time at which business hours end; 00:00 is the end of the day.
	 * Default is 17:00.
	 * @param zone Time zone of these times, such as Europe/Berlin; required for back-off
	 * calendar.
	 * @param holidays Days that are closed, such as 2026-12-25.
	 */
	record CalendarProperties(@Nullable List<String> days, @Nullable String opens, @Nullable String closes,
			@Nullable String zone, @Nullable List<String> holidays) {

		static final CalendarProperties BUILT_IN = new CalendarProperties(
				List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"), "09:00", "17:00", null, List.of());

	}

	/**
	 * How many handler calls may be retries.
	 *
	 * @param max Ratio of retries to first deliveries, from 0.001 to 1, per process.
	 * Default is no bound.
	 * @param window Time over which retries and first deliveries are counted. Default is
	 * 1m.
	 * @param atLeast Retries in a window that are always allowed. Default is 10.
	 */
	record RetryRatioProperties(@Nullable Double max, @Nullable Duration window, @Nullable Integer atLeast) {

		static final RetryRatioProperties BUILT_IN = new RetryRatioProperties(null, Duration.ofMinutes(1), 10);

	}

	/**
	 * What counts as a sign of poison.
	 *
	 * @param quarantineAfter Deliveries to consumers that died after which a message is
	 * handled alone, in quarantine; 0 for never. Default is 2, or delivery-limit if that
	 * is 1.
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
	 * none, and rejected messages are parked.
	 * @param routingKey Routing key of the events. Default is the work queue's name and
	 * '.rejected'.
	 * @param mandatory Whether a message is held until a queue takes its event. Default
	 * is true.
	 */
	record RejectionProperties(@Nullable String exchange, @Nullable String routingKey, @Nullable Boolean mandatory) {

		static final RejectionProperties BUILT_IN = new RejectionProperties(null, null, true);

	}

	/**
	 * Names that differ from the derived ones.
	 *
	 * @param retryPrefix Prefix of the names of retry queues. Default is the work queue's
	 * name and '.retry'.
	 * @param ringExchange Exchange into and out of the retry queues. Default is the work
	 * queue's name and '.retry'.
	 * @param deadLetterExchange Exchange that leads to the dead-letter queue and the
	 * parking lot. Default is the work queue's name and '.dlx'.
	 * @param deadLetterQueue Queue of messages dead-lettered by the broker. Default is
	 * the work queue's name and '.dlq'.
	 * @param parkingLot Queue of parked messages. Default is the work queue's name and
	 * '.parking-lot'.
	 * @param delayPrefix What the names of the queues for other delays begin with.
	 * Default is the work queue's name and '.delay'.
	 * @param quarantine Queue of messages whose consumers died. Default is the work
	 * queue's name and '.quarantine'.
	 * @param undeliverable Queue of dead letters that end the connection of each
	 * consumer. Default is the work queue's name and '.undeliverable'.
	 */
	record NamesProperties(@Nullable String retryPrefix, @Nullable String ringExchange,
			@Nullable String deadLetterExchange, @Nullable String deadLetterQueue, @Nullable String parkingLot,
			@Nullable String delayPrefix, @Nullable String quarantine, @Nullable String undeliverable) {
	}

}
