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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

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

	private static final int LOOKS = 20;

	private static final long BETWEEN_LOOKS = TimeUnit.MICROSECONDS.toNanos(200);

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
	 * Shows whether each delivery that was received has one outcome, or is in flight.
	 * What is in flight is counted by the acknowledgements, and outcomes by events: a
	 * delivery of which one of them knows nothing leaves a gap.
	 * @param inFlight how many deliveries of a message type are not settled yet
	 * @return registers the gauges
	 */
	public MeterBinder accounting(ToLongFunction<String> inFlight) {
		return (gauges) -> this.byType.forEach((type, meters) -> {
			Gauge.builder("rabbit.retry.in.flight", () -> inFlight.applyAsLong(type))
				.description("Deliveries that are received and have no outcome yet")
				.tag(MESSAGE_TYPE, type)
				.register(gauges);
			Gauge
				.builder("rabbit.retry.accounting.gap",
						() -> gap(() -> meters.unaccounted() - inFlight.applyAsLong(type)))
				.description("received - acked - retried - parked - discarded - returned - in flight")
				.tag(MESSAGE_TYPE, type)
				.register(gauges);
		});
	}

	/**
	 * Consumers share no lock, so that the numbers change while they are read, and a
	 * delivery is for a moment neither in flight nor counted. Such a difference is
	 * another one a moment later, and one of a lost delivery stays. So the numbers are
	 * read anew for as long as they don't balance, some milliseconds at most, and the
	 * least difference counts.
	 */
	private static long gap(LongSupplier look) {
		long least = look.getAsLong();
		for (int looks = 1; looks < LOOKS && least != 0; looks++) {
			LockSupport.parkNanos(BETWEEN_LOOKS);
			long gap = look.getAsLong();
			if (Math.abs(gap) < Math.abs(least)) {
				least = gap;
			}
		}
		return least;
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

		/**
		 * Not told by the meters, since those of some registries forget what they have
		 * pushed.
		 */
		long unaccounted() {
			return this.deliveries.sum() - this.outcomes.sum();
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
