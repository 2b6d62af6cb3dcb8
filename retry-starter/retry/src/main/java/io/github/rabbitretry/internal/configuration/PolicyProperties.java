/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.OrderingMode;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.policy.RetryRatio;
import io.github.rabbitretry.internal.policy.WhenParked;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One message policy, or the defaults of all. Every key is optional: a missing key has
 * the value of the defaults, or the default stated here. See {@link InheritedDefaults}.
 *
 * @param queue Work queue. Default is the message type in dotted lower case.
 * @param workQueue Whether the work queue is declared, or already exists and is only
 * verified, never declared or bound. Default is declare.
 * @param formerQueues Names that the work queue had before. These queues are consumed
 * until they are empty.
 * @param exchange Topic exchange to declare and to bind the work queue to. Default is
 * none.
 * @param routingKeys Routing keys to bind the work queue with. Default is the work
 * queue's name, and its former ones.
 * @param owner Owner of the message type, used in headers and metrics.
 * @param localAttempts Handler calls per delivery, 1 or more. Default is 2.
 * @param localDelay Delay between two handler calls of one delivery. Default is 100ms.
 * @param handlerTimeout Maximum duration of one handler call, after which it is
 * interrupted and counts as HANDLER_TIMEOUT. Default is unlimited.
 * @param brokerAttempts Delayed redeliveries after the first delivery. Default is 5,
 * which means at most 6 deliveries.
 * @param maxRetryAge Maximum time from the first failure to the beginning of an attempt,
 * at most 366d. Default is 2h.
 * @param maxCumulativeDelay Maximum sum of delays, at most 366d. Default is unlimited.
 * @param retryBackoff How broker attempts are spaced. Default is exponential.
 * @param initialDelay Delay before the first broker attempt. Default is 5s.
 * @param multiplier Factor from one exponential delay to the next, 1 or more. Default is
 * 6.
 * @param maxDelay Maximum delay of the back-off. Default is 30m.
 * @param jitter Length of the window in which an exponential-jitter delay lies, as a
 * fraction of the delay, from 0 to 1. Default is 0.2.
 * @param schedule Delays of the schedule back-off, the last one repeated; or a preset,
 * rocketmq or tdmq.
 * @param calendar Business hours of back-off calendar: attempts outside of them wait for
 * the next opening.
 * @param exactDelays Whether requested delays use the shared delay ladder instead of
 * being composed of the back-off's delays. Default is false.
 * @param ring Where messages wait: in a retry queue per message type and delay of the
 * back-off, or on the delay levels that services share. Default is per-type.
 * @param maxHandlerCalls Maximum number of handler calls that one message may cause:
 * local-attempts x (1 + broker-attempts). A higher number fails startup. Default is 100.
 * @param maxDownstreamCalls Maximum number of calls to other systems that the handler may
 * report, over all deliveries of a message. Default is unlimited.
 * @param maxCost Maximum cost that the handler may report, over all deliveries of a
 * message. Default is unlimited.
 * @param retryRatio How many handler calls may be retries.
 * @param escalateAfter Broker attempt, such as 3, or time since the first failure, such
 * as 30m, after which a message that keeps failing is reported once. Default is never.
 * @param poison Poison messages.
 * @param rejection Events of business rejections.
 * @param parkOn Reasons for which a message is parked immediately, regardless of its
 * failure class.
 * @param discardOn Reasons for which a message is acknowledged without success.
 * @param deliveryLimit How often the broker delivers a message whose consumers die before
 * it dead-letters the message, 1 or more. Default is 5, or 100 with ordering key, or 1000
 * with when-parked block.
 * @param replayPolicy Note from the owner on when a parked message may be replayed, added
 * as a header. Default is AFTER_REVIEW.
 * @param exceptionTexts Whether logs, headers and the ledger have the texts and stack
 * traces of exceptions, or their classes and fingerprints only. Default is full.
 * @param deduplication Whether messages that were handled are remembered, so that one
 * that is delivered again is not handled again.
 * @param outage How outages of a service that the handler calls are treated.
 * @param ordering Whether messages are handled in order: all of the queue, or those with
 * the same key. Default is none.
 * @param orderingKey What messages with the same key have in common: routing-key or
 * header:customerId.
 * @param whenParked What happens to the messages behind one that is parked. Default is
 * continue.
 * @param names Names that differ from the derived ones.
 * @param ledger What the ledger stores; keys of rabbit-retry-parking.
 */
record PolicyProperties(@Nullable String queue, @DefaultValue("declare") WorkQueueMode workQueue,
		@DefaultValue Set<String> formerQueues, @Nullable String exchange, @DefaultValue List<String> routingKeys,
		@DefaultValue("unowned") String owner, @DefaultValue("2") int localAttempts,
		@DefaultValue("100ms") Duration localDelay, @Nullable Duration handlerTimeout, @Nullable Integer brokerAttempts,
		@DefaultValue("2h") Duration maxRetryAge, @Nullable Duration maxCumulativeDelay,
		@DefaultValue("exponential") BackoffKind retryBackoff, @DefaultValue("5s") Duration initialDelay,
		@DefaultValue("6") double multiplier, @DefaultValue("30m") Duration maxDelay,
		@DefaultValue("0.2") double jitter, @DefaultValue List<String> schedule,
		@DefaultValue @NestedConfigurationProperty CalendarProperties calendar,
		@DefaultValue("false") boolean exactDelays, @DefaultValue("per-type") RetryQueueScope ring,
		@DefaultValue("100") long maxHandlerCalls, @Nullable Long maxDownstreamCalls, @Nullable Long maxCost,
		@DefaultValue @NestedConfigurationProperty RetryRatioProperties retryRatio, @Nullable String escalateAfter,
		@DefaultValue @NestedConfigurationProperty PoisonProperties poison,
		@DefaultValue @NestedConfigurationProperty RejectionProperties rejection, @DefaultValue Set<String> parkOn,
		@DefaultValue Set<String> discardOn, @Nullable Integer deliveryLimit,
		@DefaultValue("AFTER_REVIEW") String replayPolicy, @DefaultValue("full") ExceptionTexts exceptionTexts,
		@DefaultValue @NestedConfigurationProperty DeduplicationProperties deduplication,
		@DefaultValue @NestedConfigurationProperty OutageProperties outage, @DefaultValue("none") OrderingMode ordering,
		@Nullable String orderingKey, @DefaultValue("continue") WhenParked whenParked,
		@DefaultValue NamesProperties names, @Nullable Map<String, Object> ledger) {

	/** A preset is used up. */
	int attempts() {
		if (this.brokerAttempts != null) {
			return this.brokerAttempts;
		}
		return (this.retryBackoff == BackoffKind.SCHEDULE) ? SchedulePresets.attempts(this.schedule).orElse(5) : 5;
	}

	/**
	 * Each close of a channel counts for all messages that it holds. Where those of
	 * different keys are held, that can be often before one is handled.
	 */
	int deliveries() {
		if (this.deliveryLimit != null) {
			return this.deliveryLimit;
		}
		return switch (this.ordering) {
			case NONE -> 5;
			case QUEUE -> (this.whenParked == WhenParked.BLOCK) ? 1000 : 5;
			case KEY -> 100;
		};
	}

	int quarantineAfter() {
		Integer after = this.poison.quarantineAfter();
		return (after != null) ? after : Math.min(2, deliveries());
	}

	/**
	 * How much a message may cost.
	 * @param consumerTimeout how long the broker lets a consumer hold a delivery
	 */
	Budget budget(Duration consumerTimeout) {
		return new Budget(this.localAttempts, this.localDelay, attempts(), this.maxRetryAge, this.maxCumulativeDelay,
				this.maxDownstreamCalls, this.maxCost, PolicyRules.handlerTime(this, consumerTimeout));
	}

	@Nullable Deduplication deduplicated() {
		Duration retention = this.deduplication.retention();
		Duration shortest = DeduplicationProperties.SHORTEST_DEFAULT;
		if (retention == null) {
			retention = (this.maxRetryAge.compareTo(shortest) > 0) ? this.maxRetryAge : shortest;
		}
		return (this.deduplication.store() == DeduplicationStore.NONE) ? null
				: new Deduplication(this.deduplication.store(), retention, this.deduplication.maxMessages());
	}

	/**
	 * How many handler calls may be retries.
	 *
	 * @param max Maximum ratio of retries to first deliveries, from 0.001 to 1, per
	 * process. Default is unlimited.
	 * @param window Time over which retries and first deliveries are counted. Default is
	 * 1m.
	 * @param atLeast Retries in a window that are always allowed. Default is 10.
	 */
	record RetryRatioProperties(@Nullable Double max, @DefaultValue("1m") Duration window,
			@DefaultValue("10") int atLeast) {

		void check() {
			Checks.positive("retry-ratio.window", this.window);
			Checks.between("retry-ratio.window", this.window, Duration.ofSeconds(1), Duration.ofDays(1),
					"Use 1m, the default.");
			Checks.between("retry-ratio.at-least", this.atLeast, 1, 1_000_000);
			if (this.max != null) {
				Checks.between("retry-ratio.max", this.max, 0.001, 1, "Use 0.1 for one retry in ten first deliveries.");
			}
		}

		@Nullable RetryRatio ratio() {
			return (this.max != null) ? new RetryRatio(this.max, this.window, this.atLeast) : null;
		}

	}

	/**
	 * When a message is considered poison.
	 *
	 * @param quarantineAfter Number of deliveries to consumers that died after which a
	 * message is handled alone, in quarantine; 0 for never. Default is 2, or
	 * delivery-limit if that is 1.
	 */
	record PoisonProperties(@Nullable Integer quarantineAfter) {
	}

	/**
	 * Where events of business rejections are published.
	 *
	 * @param exchange Topic exchange to declare and to publish the events to. Default is
	 * none, and rejected messages are parked.
	 * @param routingKey Routing key of the events. Default is the work queue's name and
	 * '.rejected'.
	 * @param mandatory Whether a message is held until its event reaches a queue. Default
	 * is true.
	 */
	record RejectionProperties(@Nullable String exchange, @Nullable String routingKey,
			@DefaultValue("true") boolean mandatory) {

		void check() {
			if (this.exchange == null) {
				if (this.routingKey != null) {
					throw Checks.invalid("rejection.routing-key", this.routingKey, "needs an exchange to publish to",
							"Set rejection.exchange too, or remove the routing key.");
				}
				return;
			}
			Checks.text("rejection.exchange", this.exchange);
			if (Checks.bytes(this.exchange) > MessageTopology.LONGEST_NAME || this.exchange.startsWith("amq.")) {
				throw Checks.invalid("rejection.exchange", this.exchange,
						"must be at most %s bytes and not start with 'amq.'".formatted(MessageTopology.LONGEST_NAME),
						"Give it another name; it is declared as a topic exchange.");
			}
			if (this.routingKey != null && Checks.bytes(this.routingKey) > 255) {
				throw Checks.invalid("rejection.routing-key", this.routingKey, "must be at most 255 bytes",
						"Set a shorter one.");
			}
		}

		@Nullable RejectionTarget target(String queue) {
			return (this.exchange == null) ? null : new RejectionTarget(this.exchange,
					(this.routingKey != null) ? this.routingKey : queue + ".rejected", this.mandatory);
		}

	}

	/**
	 * How handled messages are remembered, by message id.
	 *
	 * @param store Where handled messages are remembered: nowhere, in this process, in
	 * the ledger's database, or by the application's MessageDeduplicator bean.
	 * @param retention How long a handled message is remembered, by in-memory and jdbc.
	 * Default is 1d, or max-retry-age if that is longer.
	 * @param maxMessages Maximum number of handled messages that in-memory remembers.
	 */
	record DeduplicationProperties(@DefaultValue("none") DeduplicationStore store, @Nullable Duration retention,
			@DefaultValue("100000") int maxMessages) {

		private static final Duration SHORTEST_DEFAULT = Duration.ofDays(1);

		void check() {
			Checks.between("deduplication.max-messages", this.maxMessages, 1, 10_000_000);
			if (this.retention != null) {
				Checks.positive("deduplication.retention", this.retention);
				Checks.atMost("deduplication.retention", this.retention, Checks.LONGEST_AGE,
						"Lower it; a message is hardly ever delivered again that late.");
			}
		}

	}

	/**
	 * Names that differ from the derived ones.
	 *
	 * @param retryPrefix Prefix of the names of retry queues. Default is the work queue's
	 * name and '.retry'.
	 * @param ringExchange Exchange that routes messages into and out of the retry queues.
	 * Default is the work queue's name and '.retry'.
	 * @param deadLetterExchange Exchange that routes messages to the dead-letter queue
	 * and the parking lot. Default is the work queue's name and '.dlx'.
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

		/** The key that gives a name: a topology knows only what it names. */
		Optional<String> key(String name) {
			Map<String, @Nullable String> names = new LinkedHashMap<>();
			names.put("ring-exchange", this.ringExchange);
			names.put("dead-letter-exchange", this.deadLetterExchange);
			names.put("dead-letter-queue", this.deadLetterQueue);
			names.put("parking-lot", this.parkingLot);
			names.put("quarantine", this.quarantine);
			return names.keySet().stream().filter((key) -> name.equals(names.get(key))).findFirst();
		}

	}

}
