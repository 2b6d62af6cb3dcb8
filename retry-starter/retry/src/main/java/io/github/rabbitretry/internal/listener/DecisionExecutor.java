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
import io.github.rabbitretry.internal.handover.CarriedHeaders;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.OutboundMessageCheck;
import io.github.rabbitretry.internal.handover.OutboundProperties;
import io.github.rabbitretry.internal.handover.RetryHeaders;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.DeliveryHistory;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * Carries decisions out. Retrying and parking begin a hand-over and return at once.
 */
final class DecisionExecutor {

	private final RetryHeaders story;

	private final ParkingLotPublisher parkingLot;

	private final Rejection rejection;

	private final DeliveryListener events;

	private final FailureLog log;

	DecisionExecutor(RetryHeaders story, ParkingLotPublisher parkingLot, Rejection rejection, DeliveryListener events,
			FailureLog log) {
		this.story = story;
		this.parkingLot = parkingLot;
		this.rejection = rejection;
		this.events = events;
		this.log = log;
	}

	void settle(ManagedDelivery delivery, Decision decision, @Nullable Throwable failure) {
		if (decision instanceof Decision.Retry retry) {
			retry(delivery, retry, failure);
		}
		else if (decision instanceof Decision.Park park) {
			park(delivery, park, failure);
		}
		else if (decision instanceof Decision.Discard discard) {
			discard(delivery, discard, failure);
		}
		else if (decision instanceof Decision.Reject reject) {
			reject(delivery, reject, failure);
		}
		else if (decision instanceof Decision.Postpone postpone) {
			postpone(delivery, postpone.until());
		}
		else if (decision instanceof Decision.Withhold withhold) {
			withhold(delivery, withhold);
		}
		else if (decision instanceof Decision.Quarantine) {
			quarantine(delivery);
		}
		else if (decision instanceof Decision.Return returned) {
			giveBack(delivery, returned.reason(), failure);
		}
	}

	private void retry(ManagedDelivery delivery, Decision.Retry retry, @Nullable Throwable failure) {
		DeliveryHistory history = delivery.history();
		Instant first = Optional.ofNullable(history.firstFailureAt()).orElse(delivery.now());
		Map<String, Object> headers = this.story.tell(delivery.policy(), delivery.received(), history, retry.attempt(),
				retry.reason(), retry.failureClass(), delivery.now());
		headers.put(AppHeaders.RETRY_DELAY, retry.delay().toMillis());
		headers.put(AppHeaders.CUMULATIVE_DELAY, history.cumulativeDelay().plus(retry.delay()).toMillis());
		headers.put(AppHeaders.RETRY_LEVEL, retry.level());
		EscalatedMessage escalated = Escalation.mark(delivery, retry.attempt(), retry.reason(), headers);
		String type = delivery.policy().messageType();
		boolean begun = publish(delivery, retry.delay(), headers, new Told(delivery) {

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
			this.log.retried(delivery.policy(), delivery.received(), history, retry, failure);
		}
		else {
			park(delivery, new Decision.Park(whyNotAgain(delivery), FailureClass.PERMANENT_TECHNICAL, retry.reason()),
					failure);
		}
	}

	/** Sends a delivery that came back too early on waiting, as it is. */
	private void postpone(ManagedDelivery delivery, Instant until) {
		String type = delivery.policy().messageType();
		waitOn(delivery, until, CarriedHeaders.of(delivery.received().properties()), () -> this.events.postponed(type));
	}

	/** The same, but the next turn is counted from this one's length. */
	private void withhold(ManagedDelivery delivery, Decision.Withhold withhold) {
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		headers.put(AppHeaders.RETRY_DELAY, Duration.between(delivery.now(), withhold.until()).toMillis());
		EscalatedMessage escalated = Escalation.mark(delivery, delivery.history().attempt(), withhold.reason(),
				headers);
		String type = delivery.policy().messageType();
		waitOn(delivery, withhold.until(), headers, () -> {
			this.events.postponed(type);
			this.events.withheld(type);
			if (escalated != null) {
				this.events.escalated(escalated);
			}
		});
	}

	private void waitOn(ManagedDelivery delivery, Instant until, Map<String, Object> headers, Runnable told) {
		headers.remove(AppHeaders.RETRY_NOT_BEFORE);
		boolean begun = publish(delivery, Duration.between(delivery.now(), until), headers, new Told(delivery) {

			@Override
			void handedOver() {
				told.run();
			}

		});
		if (!begun) {
			String why = whyNotAgain(delivery);
			park(delivery, new Decision.Park(why, FailureClass.PERMANENT_TECHNICAL, why), null);
		}
	}

	private void quarantine(ManagedDelivery delivery) {
		String type = delivery.policy().messageType();
		boolean begun = Quarantine.begin(delivery.publisher(), delivery.policy(), delivery.received(),
				delivery.acknowledgement(), delivery.now(), new Told(delivery) {

					@Override
					void handedOver() {
						DecisionExecutor.this.events.postponed(type);
						DecisionExecutor.this.events.quarantined(type);
					}

				});
		if (!begun) {
			String why = whyNotAgain(delivery);
			park(delivery, new Decision.Park(why, FailureClass.POISON, why), null);
		}
	}

	private boolean publish(ManagedDelivery delivery, Duration delay, Map<String, Object> headers,
			HandoverCallback callback) {
		long id = delivery.publisher().nextId();
		DelayRoute route = delivery.policy().topology().route(delay);
		// always: a broker policy can shorten the time to live of every retry queue
		headers.put(AppHeaders.RETRY_NOT_BEFORE, delivery.now().plus(delay).toString());
		headers.put(AppHeaders.HANDOVER_ID, id);
		OutboundProperties properties = OutboundProperties.of(delivery.received().properties(), headers,
				delivery.acknowledgement().frameMax());
		OutboundMessage copy = new OutboundMessage(route.exchange(), route.routingKey(), properties.properties(),
				delivery.received().body());
		if (!properties.dropped().isEmpty()
				|| OutboundMessageCheck.problem(copy, delivery.acknowledgement().frameMax()).isPresent()) {
			// the handler would not get what the producer sent
			return false;
		}
		delivery.publisher().submit(id, copy, delivery.acknowledgement(), callback);
		return true;
	}

	private static String whyNotAgain(ManagedDelivery delivery) {
		return OutboundMessageCheck.problem(delivery.received().properties(), 0).isPresent() ? Reasons.UNPUBLISHABLE
				: Reasons.HEADERS_TOO_LARGE;
	}

	private void park(ManagedDelivery delivery, Decision.Park park, @Nullable Throwable failure) {
		this.parkingLot.park(delivery.publisher(), delivery.policy(), delivery.received(), delivery.acknowledgement(),
				delivery.history(), park, failure, delivery.now(), new Told(delivery) {

					@Override
					void handedOver() {
						DecisionExecutor.this.events.parked(delivery.policy().messageType(), park.reason(),
								park.failureClass());
						ReplayCompletion.tell(DecisionExecutor.this.events, delivery.policy(), delivery.received(),
								ReplayOutcome.PARKED_AGAIN);
					}

				});
	}

	private void discard(ManagedDelivery delivery, Decision.Discard discard, @Nullable Throwable failure) {
		String type = delivery.policy().messageType();
		this.log.ended(delivery.policy(), delivery.received(), delivery.history(), "discarded", discard.reason(),
				failure);
		if (delivery.acknowledgement().acknowledge()) {
			DispositionLog.tell("discarded", delivery, discard.reason());
			this.events.discarded(type, discard.reason());
			ReplayCompletion.tell(this.events, delivery.policy(), delivery.received(), ReplayOutcome.DISCARDED);
		}
		else {
			this.events.returned(type);
		}
	}

	private void reject(ManagedDelivery delivery, Decision.Reject reject, @Nullable Throwable failure) {
		String type = delivery.policy().messageType();
		Decision.Park instead = this.rejection.begin(delivery, reject, new Told(delivery) {

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
			park(delivery, instead, failure);
			return;
		}
		this.log.ended(delivery.policy(), delivery.received(), delivery.history(), "rejected", reject.reason(),
				failure);
	}

	private void giveBack(ManagedDelivery delivery, String reason, @Nullable Throwable failure) {
		this.log.ended(delivery.policy(), delivery.received(), delivery.history(), "returned to its queue", reason,
				failure);
		delivery.acknowledgement().giveBack();
		this.events.returned(delivery.policy().messageType());
	}

	private abstract class Told implements HandoverCallback {

		private final String messageType;

		Told(ManagedDelivery delivery) {
			this.messageType = delivery.policy().messageType();
		}

		abstract void handedOver();

		@Override
		public final void confirmed(Duration elapsed) {
			handedOver();
			DecisionExecutor.this.events.handedOver(this.messageType, elapsed);
		}

		@Override
		public final void abandoned() {
			DecisionExecutor.this.events.returned(this.messageType);
		}

	}

}
