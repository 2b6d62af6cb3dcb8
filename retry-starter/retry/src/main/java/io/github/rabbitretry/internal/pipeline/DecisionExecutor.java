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
import io.github.rabbitretry.internal.deadletter.Quarantine;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.CarriedHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;

/**
 * Carries decisions out. Retrying and parking begin a hand-over and return at once.
 */
public final class DecisionExecutor implements Decision.Visitor<Delivery> {

	private final ExecutionServices services;

	private final Rejection rejection;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final Redelivery redelivery;

	public DecisionExecutor(ExecutionServices services, DeliveryListener events, AttemptObserver observer,
			Redelivery redelivery) {
		this.services = services;
		this.rejection = new Rejection(services.rejections());
		this.events = events;
		this.observer = observer;
		this.redelivery = redelivery;
	}

	/** How messages come back. */
	public Redelivery redelivery() {
		return this.redelivery;
	}

	public void settle(Delivery delivery, Decision decision) {
		this.observer.decided(delivery, decision);
		decision.accept(this, delivery);
	}

	@Override
	public void retry(Delivery delivery, Decision.Retry retry) {
		DeliveryHistory history = delivery.history();
		Instant first = Optional.ofNullable(history.firstFailureAt()).orElse(delivery.now());
		Map<String, Object> headers = this.services.retryHeaders()
			.of(delivery, retry.attempt(), retry.reason(), retry.failureClass());
		headers.put(AppHeaders.RETRY_DELAY, retry.delay().toMillis());
		headers.put(AppHeaders.CUMULATIVE_DELAY, history.cumulativeDelay().plus(retry.delay()).toMillis());
		headers.put(AppHeaders.RETRY_LEVEL, retry.level());
		this.services.retryHeaders().history(headers, delivery, retry.reason(), retry.delay());
		EscalatedMessage escalated = Escalation.mark(delivery, retry.attempt(), retry.reason(), headers);
		boolean begun = this.redelivery.begin(delivery, retry.delay(), headers, whenHandedOver(delivery, (type) -> {
			this.events.retried(type, retry.reason(), retry.failureClass(), Duration.between(first, Instant.now()));
			if (escalated != null) {
				this.events.escalated(escalated);
			}
		}));
		if (begun) {
			this.services.log().retried(delivery, retry);
		}
		else {
			settle(delivery,
					new Decision.Park(whyNotAgain(delivery), FailureClass.PERMANENT_TECHNICAL, retry.reason()));
		}
	}

	/**
	 * Sends a delivery that came back too early, or in an outage, on waiting, as it is.
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
		EscalatedMessage escalated = Escalation.mark(delivery, delivery.history().attempt(), throttle.reason(),
				headers);
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
		boolean begun = Quarantine.begin(delivery, whenHandedOver(delivery, (type) -> {
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
			this.services.log().blocks(delivery, park);
			this.redelivery.block(delivery, park.reason());
			returned(delivery);
			return;
		}
		this.services.parkingLot().park(delivery, park, whenHandedOver(delivery, (type) -> {
			this.events.parked(type, park.reason(), park.failureClass());
			ReplayCompletion.report(this.events, delivery.policy(), delivery.received(),
					ReplayReference.Outcome.PARKED_AGAIN);
		}));
	}

	@Override
	public void discard(Delivery delivery, Decision.Discard discard) {
		String type = delivery.messageType();
		this.services.log().ended(delivery, "discarded", discard.reason());
		if (delivery.acknowledgement().acknowledge()) {
			DispositionLog.log("discarded", delivery, discard.reason());
			this.events.discarded(type, discard.reason());
			ReplayCompletion.report(this.events, delivery.policy(), delivery.received(),
					ReplayReference.Outcome.DISCARDED);
		}
		else {
			this.events.returned(type);
		}
	}

	@Override
	public void reject(Delivery delivery, Decision.Reject reject) {
		Decision.Park instead = this.rejection.begin(delivery, reject, whenHandedOver(delivery, (type) -> {
			DispositionLog.log("rejected", delivery, reject.reason());
			this.events.acknowledged(type);
			this.events.rejected(type, reject.reason());
			ReplayCompletion.report(this.events, delivery.policy(), delivery.received(),
					ReplayReference.Outcome.SUCCEEDED);
		}));
		if (instead != null) {
			settle(delivery, instead);
			return;
		}
		this.services.log().ended(delivery, "rejected", reject.reason());
	}

	@Override
	public void returnToQueue(Delivery delivery, Decision.Return decision) {
		this.services.log().ended(delivery, "returned to its queue", decision.reason());
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

}
