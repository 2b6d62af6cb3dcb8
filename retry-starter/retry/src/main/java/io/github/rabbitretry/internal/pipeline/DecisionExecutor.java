/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.CarriedHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.internal.message.ReplayReferences;
import io.github.rabbitretry.internal.policy.EscalateAfter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Executes decisions. Retrying and parking begin a hand-over and return at once.
 */
public final class DecisionExecutor implements Decision.Visitor<Delivery> {

	/**
	 * One line for each message that ends without success and without a copy in the
	 * parking lot, in a log of its own, so that it can be kept elsewhere. Without
	 * payload.
	 */
	private static final Log audit = LogFactory.getLog("io.github.rabbitretry.audit");

	private final RetryHeaders retryHeaders;

	private final ParkingLotPublisher parkingLot;

	private final RejectionEvents rejections;

	private final FailureLog log;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final Redelivery redelivery;

	/**
	 * Creates an executor.
	 * @param retryHeaders writes the headers of retried messages
	 * @param parkingLot parks
	 * @param rejections publishes the events of business rejections
	 * @param log says what is decided
	 * @param events the listener to notify
	 * @param observer the observer to notify
	 * @param redelivery how messages come back
	 */
	public DecisionExecutor(RetryHeaders retryHeaders, ParkingLotPublisher parkingLot, RejectionEvents rejections,
			FailureLog log, DeliveryListener events, AttemptObserver observer, Redelivery redelivery) {
		this.retryHeaders = retryHeaders;
		this.parkingLot = parkingLot;
		this.rejections = rejections;
		this.log = log;
		this.events = events;
		this.observer = observer;
		this.redelivery = redelivery;
	}

	/** The same, whose messages come back otherwise. */
	public DecisionExecutor with(Redelivery other) {
		return new DecisionExecutor(this.retryHeaders, this.parkingLot, this.rejections, this.log, this.events,
				this.observer, other);
	}

	DeliveryListener events() {
		return this.events;
	}

	public AttemptObserver observer() {
		return this.observer;
	}

	/** How messages come back. */
	Redelivery redelivery() {
		return this.redelivery;
	}

	void settle(Delivery delivery, Decision decision) {
		this.observer.decided(delivery, decision);
		decision.accept(this, delivery);
	}

	@Override
	public void retry(Delivery delivery, Decision.Retry retry) {
		DeliveryHistory history = delivery.history();
		Instant first = Optional.ofNullable(history.firstFailureAt()).orElse(delivery.now());
		Map<String, Object> headers = this.retryHeaders.of(delivery, retry.attempt(), retry.reason(),
				retry.failureClass());
		headers.put(AppHeaders.RETRY_DELAY, retry.delay().toMillis());
		headers.put(AppHeaders.CUMULATIVE_DELAY, history.cumulativeDelay().plus(retry.delay()).toMillis());
		headers.put(AppHeaders.RETRY_LEVEL, retry.level());
		this.retryHeaders.history(headers, delivery, retry.reason(), retry.delay());
		EscalatedMessage escalated = escalate(delivery, retry.attempt(), retry.reason(), headers);
		boolean begun = this.redelivery.begin(delivery, retry.delay(), headers, whenHandedOver(delivery, (type) -> {
			this.events.retried(type, retry.reason(), retry.failureClass(), Duration.between(first, Instant.now()));
			if (escalated != null) {
				this.events.escalated(escalated);
			}
		}));
		if (begun) {
			this.log.retried(delivery, retry);
		}
		else {
			settle(delivery,
					new Decision.Park(whyNotAgain(delivery), FailureClass.PERMANENT_TECHNICAL, retry.reason()));
		}
	}

	/**
	 * Has a delivery that came back too early, or in an outage, wait on as it is.
	 */
	@Override
	public void postpone(Delivery delivery, Decision.Postpone postpone) {
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		if (!delivery.history().retried()) {
			RetryHeaders.origin(headers, delivery);
		}
		waitOn(delivery, postpone.until(), headers, this.events::postponed);
	}

	/** The same, but the next turn is counted from this one's length. */
	@Override
	public void throttle(Delivery delivery, Decision.Throttle throttle) {
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		headers.put(AppHeaders.RETRY_DELAY, Duration.between(delivery.now(), throttle.until()).toMillis());
		EscalatedMessage escalated = escalate(delivery, delivery.history().attempt(), throttle.reason(), headers);
		waitOn(delivery, throttle.until(), headers, (type) -> {
			this.events.postponed(type);
			this.events.throttled(type);
			if (escalated != null) {
				this.events.escalated(escalated);
			}
		});
	}

	private void waitOn(Delivery delivery, Instant until, Map<String, Object> headers, Consumer<String> handedOver) {
		headers.remove(AppHeaders.RETRY_NOT_BEFORE);
		DeliveryHistory history = delivery.history();
		if (history.retried()) {
			// an age without a readable beginning must not begin anew with each wait
			Instant first = history.firstFailureAt();
			headers.put(AppHeaders.FIRST_FAILURE_AT, ((first != null) ? first : delivery.now()).toString());
		}
		if (!this.redelivery.begin(delivery, Duration.between(delivery.now(), until), headers,
				whenHandedOver(delivery, handedOver))) {
			String why = whyNotAgain(delivery);
			settle(delivery, new Decision.Park(why, FailureClass.PERMANENT_TECHNICAL, why));
		}
	}

	@Override
	public void quarantine(Delivery delivery, Decision.Quarantine quarantine) {
		boolean begun = delivery.handOverToQuarantine(whenHandedOver(delivery, (type) -> {
			this.events.postponed(type);
			this.events.quarantined(type);
		}));
		if (!begun) {
			String why = whyNotAgain(delivery);
			settle(delivery, new Decision.Park(why, FailureClass.POISON, why));
		}
	}

	private static String whyNotAgain(Delivery delivery) {
		return OutboundMessageCheck.problem(delivery.received().properties(), 0).isPresent() ? Reasons.UNPUBLISHABLE
				: Reasons.HEADERS_TOO_LARGE;
	}

	@Override
	public void park(Delivery delivery, Decision.Park park) {
		if (this.redelivery.blocks()) {
			this.log.blocks(delivery, park);
			this.redelivery.block(delivery, park.reason());
			returned(delivery);
			return;
		}
		this.parkingLot.park(delivery, park, whenHandedOver(delivery, (type) -> {
			this.events.parked(type, park.reason(), park.failureClass());
			reportReplay(delivery, ReplayReference.Outcome.PARKED_AGAIN);
		}));
	}

	@Override
	public void discard(Delivery delivery, Decision.Discard discard) {
		String type = delivery.messageType();
		this.log.ended(delivery, "discarded", discard.reason());
		if (delivery.acknowledgement().acknowledge()) {
			this.events.discarded(type, discard.reason());
			reportReplay(delivery, ReplayReference.Outcome.DISCARDED);
			// an appender may fail
			audit("discarded", delivery, discard.reason());
		}
		else {
			this.events.returned(type);
		}
	}

	@Override
	public void reject(Delivery delivery, Decision.Reject reject) {
		Decision.Park instead = this.rejections.begin(delivery, reject, whenHandedOver(delivery, (type) -> {
			this.events.acknowledged(type);
			this.events.rejected(type, reject.reason());
			reportReplay(delivery, ReplayReference.Outcome.SUCCEEDED);
			audit("rejected", delivery, reject.reason());
		}));
		if (instead != null) {
			settle(delivery, instead);
			return;
		}
		this.log.ended(delivery, "rejected", reject.reason());
	}

	@Override
	public void returnToQueue(Delivery delivery, Decision.Return decision) {
		this.log.ended(delivery, "returned to its queue", decision.reason());
		this.redelivery.giveBack(delivery);
		returned(delivery);
	}

	private void returned(Delivery delivery) {
		delivery.acknowledgement().released();
		this.events.returned(delivery.messageType());
	}

	private ConfirmCallback whenHandedOver(Delivery delivery, Consumer<String> report) {
		return new ConfirmCallback(delivery, this.events, this.redelivery, () -> report.accept(delivery.messageType()));
	}

	/**
	 * Marks the copy of a message that is retried further, if its owner is to be
	 * notified.
	 * @return the notification, or {@code null} if it is too early or was done
	 */
	private static @Nullable EscalatedMessage escalate(Delivery delivery, int attempt, String reason,
			Map<String, Object> headers) {
		EscalateAfter after = delivery.policy().escalateAfter();
		if (after == null || delivery.history().escalatedAt() != null) {
			return null;
		}
		Instant first = delivery.history().firstFailureAt();
		Duration age = (first != null) ? Duration.between(first, delivery.now()) : Duration.ZERO;
		if (!after.reached(attempt, age)) {
			return null;
		}
		headers.put(AppHeaders.ESCALATED_AT, delivery.now().toString());
		String id = delivery.received().properties().getMessageId();
		return new EscalatedMessage(delivery.messageType(), delivery.policy().owner(), (id != null) ? id : "", attempt,
				age, reason);
	}

	private static void audit(String what, Delivery delivery, String reason) {
		String id = delivery.received().properties().getMessageId();
		audit.info("%s messageType=%s messageId=%s reason=%s attempt=%s owner=%s".formatted(what,
				LogText.of(delivery.messageType()), (id != null) ? LogText.of(id) : "none", reason,
				delivery.history().attempt(), LogText.of(delivery.policy().owner())));
	}

	/** All messages that are not replayed pass with one look into their headers. */
	void reportReplay(Delivery delivery, ReplayReference.Outcome outcome) {
		ReplayReference replay = ReplayReferences.of(delivery.received().properties().getHeaders());
		if (replay != null) {
			this.events.replayEnded(delivery.messageType(), replay, outcome);
		}
	}

}
