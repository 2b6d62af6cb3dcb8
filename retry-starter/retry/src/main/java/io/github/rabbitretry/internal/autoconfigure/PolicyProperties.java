/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.configuration.Section;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.OrderingMode;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.policy.WhenParked;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.WorkQueue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One message policy, or the defaults of all. Every key may be left out: then that of the
 * defaults counts, and at last the one that stands here. See
 * {@link io.github.rabbitretry.internal.configuration.PolicyBinder}.
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
 * @param handlerTimeout Longest time of one handler call, after which it is interrupted
 * and counts as HANDLER_TIMEOUT. Default is no bound.
 * @param brokerAttempts Delayed redeliveries after the first delivery. Default is 5,
 * which means at most 6 deliveries.
 * @param maxRetryAge Longest time from the first failure to the beginning of an attempt.
 * Default is 2h.
 * @param maxCumulativeDelay Longest sum of delays. Default is no bound.
 * @param retryBackoff How broker attempts are spaced. Default is exponential.
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
 * @param exactDelays Whether requested delays wait on the shared delay ladder rather than
 * being composed of the back-off's. Default is false.
 * @param ring Where messages wait: in a retry queue of the message type for each delay of
 * the back-off, or all on the delay levels that services share. Default is per-type.
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
 * it dead-letters the message, 1 or more. Default is 5, or 100 with ordering key, or 1000
 * with when-parked block.
 * @param replayPolicy Note of the owner on when a parked message may be replayed, for a
 * header. Default is AFTER_REVIEW.
 * @param onParkReply Reply to the sender of a request with reply-to when the request is
 * parked. Default is none.
 * @param parkReplyExchanges Exchanges that a reply-to may name for such a reply; others
 * get none, and queues need no exchange.
 * @param deduplication Whether messages that were handled are remembered, so that one
 * that is delivered again is not handled again.
 * @param outage What is done while a service that the handler calls is down.
 * @param ordering Whether messages are handled in order: all of the queue, or those with
 * the same key. Default is none.
 * @param orderingKey What messages with the same key have in common: header:customerId,
 * routing-key, or a SpEL expression such as headers['tenant'] + headers['customer'].
 * @param whenParked What becomes of the messages behind one that is parked. Default is
 * continue.
 * @param names Names that differ from the derived ones.
 * @param ledger What the ledger keeps; keys of rabbit-retry-parking.
 */
record PolicyProperties(@Nullable String queue, @DefaultValue("declare") WorkQueue workQueue, @Nullable String exchange,
		@DefaultValue List<String> routingKeys, @DefaultValue("unowned") String owner,
		@DefaultValue("2") int localAttempts, @DefaultValue("100ms") Duration localDelay,
		@Nullable Duration handlerTimeout, @Nullable Integer brokerAttempts, @DefaultValue("2h") Duration maxRetryAge,
		@Nullable Duration maxCumulativeDelay, @DefaultValue("exponential") BackoffKind retryBackoff,
		@DefaultValue("5s") Duration initialDelay, @DefaultValue("6") double multiplier,
		@DefaultValue("30m") Duration maxDelay, @DefaultValue("0.2") double jitter, @DefaultValue List<String> schedule,
		@DefaultValue @NestedConfigurationProperty CalendarProperties calendar,
		@DefaultValue("false") boolean exactDelays, @DefaultValue("per-type") RetryQueueScope ring,
		@DefaultValue("100") long maxHandlerCalls, @Nullable Long maxDownstreamCalls, @Nullable Long maxCost,
		@DefaultValue @NestedConfigurationProperty RetryRatioProperties retryRatio, @Nullable String escalateAfter,
		@DefaultValue @NestedConfigurationProperty PoisonProperties poison,
		@DefaultValue @NestedConfigurationProperty RejectionProperties rejection, @DefaultValue Set<String> parkOn,
		@DefaultValue Set<String> discardOn, @Nullable Integer deliveryLimit,
		@DefaultValue("AFTER_REVIEW") String replayPolicy, @DefaultValue("none") ParkReply onParkReply,
		@DefaultValue Set<String> parkReplyExchanges,
		@DefaultValue @NestedConfigurationProperty DeduplicationProperties deduplication,
		@DefaultValue @NestedConfigurationProperty OutageProperties outage, @DefaultValue("none") OrderingMode ordering,
		@Nullable String orderingKey, @DefaultValue("continue") WhenParked whenParked,
		@DefaultValue NamesProperties names, @Nullable @Section("policy.ledger") Map<String, Object> ledger) {

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
	record CalendarProperties(@DefaultValue( {
			"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY" }) List<String> days,
			@DefaultValue("09:00") String opens, @DefaultValue("17:00") String closes, @Nullable String zone,
			@DefaultValue List<String> holidays){
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
	record RetryRatioProperties(@Nullable Double max, @DefaultValue("1m") Duration window,
			@DefaultValue("10") int atLeast) {
	}

	/**
	 * What counts as a sign of poison.
	 *
	 * @param quarantineAfter Deliveries to consumers that died after which a message is
	 * handled alone, in quarantine; 0 for never. Default is 2, or delivery-limit if that
	 * is 1.
	 */
	record PoisonProperties(@Nullable Integer quarantineAfter) {
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
	record RejectionProperties(@Nullable String exchange, @Nullable String routingKey,
			@DefaultValue("true") boolean mandatory) {
	}

	/**
	 * How handled messages are remembered, by message id.
	 *
	 * @param store Where handled messages are remembered: nowhere, in this process, in
	 * the ledger's database, or by the application's MessageDeduplicator bean.
	 * @param retention How long a handled message is remembered, by in-memory and jdbc.
	 * Default is 1d, or max-retry-age if that is longer.
	 * @param maxMessages Handled messages that in-memory remembers at most.
	 */
	record DeduplicationProperties(@DefaultValue("none") DeduplicationStore store, @Nullable Duration retention,
			@DefaultValue("100000") int maxMessages) {
	}

	/**
	 * What is done while a service that the handler calls is down.
	 *
	 * @param enabled Whether queues are not consumed while the service is down, so that
	 * no attempts are used up.
	 * @param dependency Name of the service; message types that name the same are paused
	 * together. Default is the message type.
	 * @param reasons Reasons of failures that show that the service is down. Default is
	 * DOWNSTREAM_TIMEOUT and DOWNSTREAM_UNAVAILABLE.
	 * @param failureRate Part of the last calls that has to fail for these reasons, from
	 * 0.001 to 1. Default is 0.5.
	 * @param calls Number of last calls that are looked at, from 2 to 10000. Default is
	 * 10.
	 * @param probeInterval Time until the first probe with a single message. Doubled
	 * after each that fails. Default is 5s.
	 * @param maxProbeInterval Longest time between two probes. Default is 30s.
	 * @param resumeCalls Calls that have to succeed one after the other before the queue
	 * is consumed as before, from 1 to 1000. Default is 5.
	 * @param excludeFromAge Whether outages do not count for max-retry-age, as far as
	 * this process has seen them.
	 */
	record OutageProperties(@DefaultValue("false") boolean enabled, @Nullable String dependency, @DefaultValue( {
			"DOWNSTREAM_TIMEOUT", "DOWNSTREAM_UNAVAILABLE" }) Set<String> reasons,
			@DefaultValue("0.5") double failureRate, @DefaultValue("10") int calls,
			@DefaultValue("5s") Duration probeInterval, @DefaultValue("30s") Duration maxProbeInterval,
			@DefaultValue("5") int resumeCalls, @DefaultValue("false") boolean excludeFromAge){
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
	 * @param quarantine Queue of messages whose consumers died. Default is the work
	 * queue's name and '.quarantine'.
	 *
	 */
	record NamesProperties(@Nullable String retryPrefix, @Nullable String ringExchange,
			@Nullable String deadLetterExchange, @Nullable String deadLetterQueue, @Nullable String parkingLot,
			@Nullable String quarantine) {
	}

}
