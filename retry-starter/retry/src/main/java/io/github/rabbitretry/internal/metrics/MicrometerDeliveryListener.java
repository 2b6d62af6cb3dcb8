/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Counts deliveries. Tags are message types, reasons, failure classes and outcomes, all
 * of them closed lists. Told before listeners that take their time.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class MicrometerDeliveryListener implements DeliveryListener {

	private static final String MESSAGE_TYPE = "message_type";

	private static final String REASON = "reason";

	private static final String FAILURE_CLASS = "failure_class";

	/**
	 * What budgets park with. Alerts ask how much these have increased, which a series
	 * that begins with its first event would not show.
	 */
	private static final List<String> ENDS_OF_BUDGETS = List.of(Reasons.RETRY_AGE_EXCEEDED,
			Reasons.RETRY_BUDGET_EXHAUSTED);

	private final MeterRegistry registry;

	private final Map<String, OfType> byType = new HashMap<>();

	/**
	 * Registers what is known from the start, so that it is there as zero.
	 * @param registry where meters go
	 * @param messageTypes all policies' names
	 * @param pending how many copies of a message type are on their way
	 */
	public MicrometerDeliveryListener(MeterRegistry registry, Collection<String> messageTypes,
			ToIntFunction<String> pending) {
		this.registry = registry;
		messageTypes.forEach((type) -> {
			this.byType.put(type, new OfType(registry, type));
			ENDS_OF_BUDGETS.forEach((reason) -> parkedFor(type, reason));
			Gauge.builder("rabbit.retry.handover.pending", () -> pending.applyAsInt(type))
				.description("Copies that are published but not yet confirmed")
				.tag(MESSAGE_TYPE, type)
				.register(registry);
		});
	}

	/**
	 * How many deliveries of a message type were received and had no outcome yet. Not
	 * told by the meters, since those of some registries forget what they have pushed.
	 * @param messageType the policy's name
	 * @return the number, a little off while they change
	 */
	public long unaccounted(String messageType) {
		OfType meters = of(messageType);
		return meters.deliveries.sum() - meters.outcomes.sum();
	}

	@Override
	public void received(String messageType) {
		OfType meters = of(messageType);
		meters.deliveries.increment();
		meters.received.increment();
	}

	@Override
	public void acknowledged(String messageType) {
		OfType meters = of(messageType);
		meters.ended(meters.acknowledged);
	}

	@Override
	public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
		OfType meters = of(messageType);
		meters.ended(meters.retried);
		meters.age.record(age);
		count("retry.attempts", "Copies handed over to a retry queue", messageType, REASON, reason, FAILURE_CLASS,
				failureClass.label());
	}

	@Override
	public void postponed(String messageType) {
		OfType meters = of(messageType);
		meters.ended(meters.retried);
	}

	@Override
	public void throttled(String messageType) {
		count("rabbit.retry.throttled",
				"Deliveries that came back and were not handled, because the ratio of retries is spent", messageType);
	}

	@Override
	public void parked(String messageType, String reason, FailureClass failureClass) {
		OfType meters = of(messageType);
		meters.ended(meters.parked);
		parkedFor(messageType, reason).increment();
	}

	@Override
	public void discarded(String messageType, String reason) {
		OfType meters = of(messageType);
		meters.ended(meters.discarded);
	}

	@Override
	public void rejected(String messageType, String reason) {
		count("rabbit.retry.rejections", "Events of business rejections, published and confirmed", messageType, REASON,
				reason);
	}

	@Override
	public void duplicate(String messageType) {
		count("rabbit.retry.duplicates",
				"Deliveries of messages that had been handled before, acknowledged without being handled", messageType);
	}

	@Override
	public void returned(String messageType) {
		OfType meters = of(messageType);
		meters.ended(meters.returned);
	}

	@Override
	public void deadLettered(String messageType, String reason, FailureClass failureClass) {
		count("messages.dead.lettered", "Messages dead-lettered by the broker and parked", messageType, REASON, reason);
		parkedFor(messageType, reason).increment();
	}

	@Override
	public void undeliverable(String messageType) {
		count("rabbit.retry.undeliverable",
				"Dead letters that no consumer could receive, moved to the last queue by the broker", messageType);
	}

	@Override
	public void quarantined(String messageType) {
		count("rabbit.retry.quarantined", "Messages handed over to the quarantine, since their consumers died",
				messageType);
	}

	@Override
	public void shadowMatched(String messageType, String reason, FailureClass failureClass) {
		count("rabbit.retry.shadow.matches", "Decided deliveries that a rule in shadow mode would have classified",
				messageType, REASON, reason, FAILURE_CLASS, failureClass.label());
	}

	@Override
	public void escalated(EscalatedMessage message) {
		count("rabbit.retry.escalations", "Messages reported because they keep failing", message.messageType(), "owner",
				message.owner());
	}

	@Override
	public void handedOver(String messageType, Duration elapsed) {
		of(messageType).handover.record(elapsed);
	}

	private void count(String name, String description, String messageType, String... tags) {
		counter(name, description, messageType, tags).increment();
	}

	private Counter counter(String name, String description, String messageType, String... tags) {
		return Counter.builder(name)
			.description(description)
			.tag(MESSAGE_TYPE, messageType)
			.tags(tags)
			.register(this.registry);
	}

	private Counter parkedFor(String messageType, String reason) {
		return counter("parking.lot.messages", "Messages put into the parking lot", messageType, REASON, reason);
	}

	private OfType of(String messageType) {
		OfType meters = this.byType.get(messageType);
		if (meters == null) {
			throw new IllegalArgumentException("message type '%s' has no policy".formatted(messageType));
		}
		return meters;
	}

	/** The meters of one message type, found once. */
	private static final class OfType {

		private final Counter received;

		private final Counter acknowledged;

		private final Counter retried;

		private final Counter parked;

		private final Counter discarded;

		private final Counter returned;

		private final LongAdder deliveries = new LongAdder();

		private final LongAdder outcomes = new LongAdder();

		private final Timer age;

		private final Timer handover;

		OfType(MeterRegistry registry, String type) {
			this.received = outcome(registry, type, "received");
			this.acknowledged = outcome(registry, type, "acked");
			this.retried = outcome(registry, type, "retried");
			this.parked = outcome(registry, type, "parked");
			this.discarded = outcome(registry, type, "discarded");
			this.returned = outcome(registry, type, "returned");
			this.age = Timer.builder("retry.age")
				.description("Time since the first failure of messages handed over to a retry queue")
				.tag(MESSAGE_TYPE, type)
				.register(registry);
			this.handover = Timer.builder("rabbit.retry.handover")
				.description("Time from a decision to the confirm of its copy")
				.tag(MESSAGE_TYPE, type)
				.register(registry);
		}

		void ended(Counter outcome) {
			this.outcomes.increment();
			outcome.increment();
		}

		private static Counter outcome(MeterRegistry registry, String type, String outcome) {
			return Counter.builder("rabbit.retry.deliveries")
				.description("Deliveries, received = acked + retried + parked + discarded + returned")
				.tags(MESSAGE_TYPE, type, "outcome", outcome)
				.register(registry);
		}

	}

}
