/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.ReplayOutcome;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.deadletter.Quarantine;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.RetryHeaders;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.CarriedHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * Carries decisions out. Retrying and parking begin a hand-over and return at once.
 */
final class DecisionExecutor {

	private final RetryHeaders retryHeaders;

	private final ParkingLotPublisher parkingLot;

	private final Rejection rejection;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final FailureLog log;

	/** Where messages wait that keep their order, or {@code null} for the ring. */
	private final @Nullable OrderedHandling ordered;

	DecisionExecutor(RetryHeaders retryHeaders, ParkingLotPublisher parkingLot, Rejection rejection,
			DeliveryListener events, AttemptObserver observer, FailureLog log) {
		this(retryHeaders, parkingLot, rejection, events, observer, log, null);
	}

	private DecisionExecutor(RetryHeaders retryHeaders, ParkingLotPublisher parkingLot, Rejection rejection,
			DeliveryListener events, AttemptObserver observer, FailureLog log, @Nullable OrderedHandling ordered) {
		this.retryHeaders = retryHeaders;
		this.parkingLot = parkingLot;
		this.rejection = rejection;
		this.events = events;
		this.observer = observer;
		this.log = log;
		this.ordered = ordered;
	}

	/** The same for messages that keep their order, and so don't leave their queue. */
	DecisionExecutor inOrder(OrderedHandling ordered) {
		return new DecisionExecutor(this.retryHeaders, this.parkingLot, this.rejection, this.events, this.observer,
				this.log, ordered);
	}

	void settle(Delivery delivery, Decision decision) {
		this.observer.decided(delivery, decision);
		if (decision instanceof Decision.Retry retry) {
			retry(delivery, retry);
		}
		else if (decision instanceof Decision.Park park) {
			park(delivery, park);
		}
		else if (decision instanceof Decision.Discard discard) {
			discard(delivery, discard);
		}
		else if (decision instanceof Decision.Reject reject) {
			reject(delivery, reject);
		}
		else if (decision instanceof Decision.Postpone postpone) {
			postpone(delivery, postpone.until());
		}
		else if (decision instanceof Decision.Throttle throttle) {
			throttle(delivery, throttle);
		}
		else if (decision instanceof Decision.Quarantine) {
			quarantine(delivery);
		}
		else if (decision instanceof Decision.Return returned) {
			giveBack(delivery, returned.reason());
		}
	}

	private void retry(Delivery delivery, Decision.Retry retry) {
		DeliveryHistory history = delivery.history();
		Instant first = Optional.ofNullable(history.firstFailureAt()).orElse(delivery.now());
		Map<String, Object> headers = this.retryHeaders.of(delivery, retry.attempt(), retry.reason(),
				retry.failureClass());
		headers.put(AppHeaders.RETRY_DELAY, retry.delay().toMillis());
		headers.put(AppHeaders.CUMULATIVE_DELAY, history.cumulativeDelay().plus(retry.delay()).toMillis());
		headers.put(AppHeaders.RETRY_LEVEL, retry.level());
		this.retryHeaders.history(headers, delivery, retry.reason(), retry.delay());
		EscalatedMessage escalated = Escalation.mark(delivery, retry.attempt(), retry.reason(), headers);
		String type = delivery.messageType();
		boolean begun = publish(delivery, retry.delay(), headers, new ConfirmCallback(delivery) {

			@Override
			void handedOver() {
				DecisionExecutor.this.events.retried(type, retry.reason(), retry.failureClass(),
						Duration.between(first, Instant.now()));
				if (escalated != null) {
					DecisionExecutor.this.events.escalated(escalated);
				}
			}

		});
		if (begun) {
			this.log.retried(delivery, retry);
		}
		else {
			settle(delivery,
					new Decision.Park(whyNotAgain(delivery), FailureClass.PERMANENT_TECHNICAL, retry.reason()));
		}
	}

	/**
	 * Sends a delivery that came back too early, or in an outage, on waiting, as it is.
	 */
	private void postpone(Delivery delivery, Instant until) {
		String type = delivery.messageType();
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		if (!delivery.history().retried()) {
			RetryHeaders.origin(headers, delivery);
		}
		waitOn(delivery, until, headers, () -> this.events.postponed(type));
	}

	/** The same, but the next turn is counted from this one's length. */
	private void throttle(Delivery delivery, Decision.Throttle throttle) {
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		headers.put(AppHeaders.RETRY_DELAY, Duration.between(delivery.now(), throttle.until()).toMillis());
		EscalatedMessage escalated = Escalation.mark(delivery, delivery.history().attempt(), throttle.reason(),
				headers);
		String type = delivery.messageType();
		waitOn(delivery, throttle.until(), headers, () -> {
			this.events.postponed(type);
			this.events.throttled(type);
			if (escalated != null) {
				this.events.escalated(escalated);
			}
		});
	}

	private void waitOn(Delivery delivery, Instant until, Map<String, Object> headers, Runnable handedOver) {
		headers.remove(AppHeaders.RETRY_NOT_BEFORE);
		boolean begun = publish(delivery, Duration.between(delivery.now(), until), headers,
				new ConfirmCallback(delivery) {

					@Override
					void handedOver() {
						handedOver.run();
					}

				});
		if (!begun) {
			String why = whyNotAgain(delivery);
			settle(delivery, new Decision.Park(why, FailureClass.PERMANENT_TECHNICAL, why));
		}
	}

	private void quarantine(Delivery delivery) {
		String type = delivery.messageType();
		boolean begun = Quarantine.begin(delivery, new ConfirmCallback(delivery) {

			@Override
			void handedOver() {
				DecisionExecutor.this.events.postponed(type);
				DecisionExecutor.this.events.quarantined(type);
			}

		});
		if (!begun) {
			String why = whyNotAgain(delivery);
			settle(delivery, new Decision.Park(why, FailureClass.POISON, why));
		}
	}

	private boolean publish(Delivery delivery, Duration delay, Map<String, Object> headers, ConfirmCallback callback) {
		if (this.ordered != null) {
			return hold(this.ordered, delivery, delay, headers, callback);
		}
		DelayRoute route = delivery.policy().topology().route(delay);
		// always: a broker policy can shorten the time to live of every retry queue
		headers.put(AppHeaders.RETRY_NOT_BEFORE, delivery.now().plus(delay).toString());
		return delivery.handOverWhole(route.exchange(), route.routingKey(), headers, callback);
	}

	/** Nothing goes through a publisher, and all of it happens on this thread. */
	private static boolean hold(OrderedHandling ordered, Delivery delivery, Duration delay, Map<String, Object> headers,
			ConfirmCallback callback) {
		OrderedHandling.Holding holding = ordered.hold(delivery, delay, headers);
		if (holding == OrderedHandling.Holding.HELD) {
			delivery.acknowledgement().released();
			callback.handedOver();
		}
		else if (holding == OrderedHandling.Holding.GONE) {
			callback.abandoned();
		}
		return holding != OrderedHandling.Holding.NO_ROOM;
	}

	private static String whyNotAgain(Delivery delivery) {
		return OutboundMessageCheck.problem(delivery.received().properties(), 0).isPresent() ? Reasons.UNPUBLISHABLE
				: Reasons.HEADERS_TOO_LARGE;
	}

	private void park(Delivery delivery, Decision.Park park) {
		if (this.ordered != null && this.ordered.blocks()) {
			this.log.blocks(delivery, park);
			this.ordered.block(delivery, park.reason());
			returned(delivery);
			return;
		}
		this.parkingLot.park(delivery, park, new ConfirmCallback(delivery) {

			@Override
			void handedOver() {
				DecisionExecutor.this.events.parked(delivery.messageType(), park.reason(), park.failureClass());
				ReplayCompletion.tell(DecisionExecutor.this.events, delivery.policy(), delivery.received(),
						ReplayOutcome.PARKED_AGAIN);
			}

		});
	}

	private void discard(Delivery delivery, Decision.Discard discard) {
		String type = delivery.messageType();
		this.log.ended(delivery, "discarded", discard.reason());
		if (delivery.acknowledgement().acknowledge()) {
			DispositionLog.tell("discarded", delivery, discard.reason());
			this.events.discarded(type, discard.reason());
			ReplayCompletion.tell(this.events, delivery.policy(), delivery.received(), ReplayOutcome.DISCARDED);
		}
		else {
			this.events.returned(type);
		}
	}

	private void reject(Delivery delivery, Decision.Reject reject) {
		String type = delivery.messageType();
		Decision.Park instead = this.rejection.begin(delivery, reject, new ConfirmCallback(delivery) {

			@Override
			void handedOver() {
				DispositionLog.tell("rejected", delivery, reject.reason());
				DecisionExecutor.this.events.acknowledged(type);
				DecisionExecutor.this.events.rejected(type, reject.reason());
				ReplayCompletion.tell(DecisionExecutor.this.events, delivery.policy(), delivery.received(),
						ReplayOutcome.SUCCEEDED);
			}

		});
		if (instead != null) {
			settle(delivery, instead);
			return;
		}
		this.log.ended(delivery, "rejected", reject.reason());
	}

	private void giveBack(Delivery delivery, String reason) {
		this.log.ended(delivery, "returned to its queue", reason);
		if (this.ordered == null) {
			delivery.acknowledgement().giveBack();
		}
		else {
			this.ordered.holdAsIs(delivery);
		}
		returned(delivery);
	}

	private void returned(Delivery delivery) {
		delivery.acknowledgement().released();
		this.events.returned(delivery.messageType());
	}

	private abstract class ConfirmCallback implements HandoverCallback {

		private final Delivery delivery;

		ConfirmCallback(Delivery delivery) {
			this.delivery = delivery;
		}

		abstract void handedOver();

		@Override
		public final void confirmed(Duration elapsed) {
			try {
				handedOver();
				DecisionExecutor.this.events.handedOver(this.delivery.messageType(), elapsed);
			}
			finally {
				wakeLanes();
			}
		}

		@Override
		public final void abandoned() {
			try {
				DecisionExecutor.this.returned(this.delivery);
			}
			finally {
				wakeLanes();
			}
		}

		/** One of them waits for that, if messages are kept in order. */
		private void wakeLanes() {
			if (DecisionExecutor.this.ordered != null) {
				DecisionExecutor.this.ordered.wake();
			}
		}

	}

}
