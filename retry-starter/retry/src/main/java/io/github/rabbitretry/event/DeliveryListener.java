/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.classify.FailureClass;
import org.jspecify.annotations.Nullable;

/**
 * Callback for what happens to deliveries of managed listeners. Metrics and logs are
 * implementations of it. All beans of this type are called.
 * <p>
 * Every delivery is reported as received once, and once as one of acknowledged, retried,
 * parked, discarded or returned; the latter when it is settled, not when it is decided.
 * If the process dies in between, the outcome of the delivery is not reported. Callbacks
 * run on listener and confirm threads and must not block; exceptions are logged and have
 * no other effect.
 */
public interface DeliveryListener {

	/**
	 * A delivery arrived.
	 * @param messageType the policy's name
	 */
	default void received(String messageType) {
	}

	/**
	 * A delivery was handled and acknowledged.
	 * @param messageType the policy's name
	 */
	default void acknowledged(String messageType) {
	}

	/**
	 * A delivery's copy is waiting for its next attempt and the original is acknowledged.
	 * @param messageType the policy's name
	 * @param reason why it failed
	 * @param failureClass the kind of failure
	 * @param age the time since the message's first failure
	 */
	default void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
	}

	/**
	 * A delivery continues to wait, and no attempt is counted: it came back too early,
	 * was {@link #throttled} or {@link #quarantined}, or failed because of an
	 * {@linkplain #outageBegan outage}.
	 * @param messageType the policy's name
	 */
	default void postponed(String messageType) {
	}

	/**
	 * A delivery that came back was not handled, because the ratio of retries to first
	 * deliveries is used up. Reported in addition to {@link #postponed}.
	 * @param messageType the policy's name
	 */
	default void throttled(String messageType) {
	}

	/**
	 * A delivery's copy is in the parking lot and the original is acknowledged.
	 * @param messageType the policy's name
	 * @param reason why it is parked
	 * @param failureClass the kind of failure
	 */
	default void parked(String messageType, String reason, FailureClass failureClass) {
	}

	/**
	 * A delivery was acknowledged without success.
	 * @param messageType the policy's name
	 * @param reason why
	 */
	default void discarded(String messageType, String reason) {
	}

	/**
	 * The event of a delivery's business rejection is confirmed and the delivery is
	 * acknowledged. Reported in addition to {@link #acknowledged}, as which it counts.
	 * @param messageType the policy's name
	 * @param reason why
	 */
	default void rejected(String messageType, String reason) {
	}

	/**
	 * A message had been handled before: its handler was not called, and its delivery is
	 * acknowledged. Reported in addition to {@link #acknowledged}, as which it counts.
	 * @param messageType the policy's name
	 */
	default void duplicate(String messageType) {
	}

	/**
	 * A delivery was returned to the broker: the service is stopping, or the channel
	 * closed before the delivery was settled.
	 * @param messageType the policy's name
	 */
	default void returned(String messageType) {
	}

	/**
	 * The broker dead-lettered a message, and the dead-letter consumer moved it to the
	 * parking lot. This is not a delivery of a listener and is reported in addition to
	 * those.
	 * @param messageType the policy's name
	 * @param reason why, one of the reasons for messages dead-lettered by the broker
	 * @param failureClass the kind of failure
	 */
	default void deadLettered(String messageType, String reason, FailureClass failureClass) {
	}

	/**
	 * The delivery of a dead-lettered message repeatedly closed the connection of the
	 * dead-letter consumer, until the broker moved the message to the queue of
	 * undeliverable messages. This is not a delivery of a listener and is reported in
	 * addition to those.
	 * @param messageType the policy's name
	 */
	default void undeliverable(String messageType) {
	}

	/**
	 * A message whose consumers died while handling it was moved to quarantine. Reported
	 * in addition to {@link #postponed}, and alone if the dead-letter consumer moved a
	 * message that the broker had dead-lettered.
	 * @param messageType the policy's name
	 */
	default void quarantined(String messageType) {
	}

	/**
	 * A decision was made about a delivery that a rule in shadow mode would have
	 * classified. Reported in addition to the outcome of the delivery, once for each such
	 * rule.
	 * @param messageType the policy's name
	 * @param reason the rule's reason
	 * @param failureClass the rule's failure class
	 */
	default void shadowMatched(String messageType, String reason, FailureClass failureClass) {
	}

	/**
	 * A message has been failing for longer than its policy's {@code escalate-after}, and
	 * is still retried. Reported in addition to {@link #retried}, once per message; it is
	 * repeated only if the process dies before the copy that records it is confirmed.
	 * @param message the message
	 */
	default void escalated(EscalatedMessage message) {
	}

	/**
	 * A service that handlers call is down, and the queues of its message types are not
	 * consumed, except for probes. Reported once for all of them.
	 * @param outage the outage, without an end
	 */
	default void outageBegan(Outage outage) {
	}

	/**
	 * A service that handlers call is up again, and the queues of its message types are
	 * consumed as before.
	 * @param outage the outage, with its end
	 */
	default void outageEnded(Outage outage) {
	}

	/**
	 * A copy was confirmed.
	 * @param messageType the policy's name
	 * @param elapsed the time from the decision to the confirm
	 */
	default void handedOver(String messageType, Duration elapsed) {
	}

	/**
	 * A replayed message has an outcome. Reported after the event for its delivery, and
	 * not for messages that wait for their next attempt.
	 * @param messageType the policy's name
	 * @param mark the replay and the message
	 * @param outcome its outcome
	 */
	default void replayEnded(String messageType, ReplayReference mark, ReplayReference.Outcome outcome) {
	}

	/**
	 * An outage of a service that handlers call, as this process sees it: while it lasts,
	 * the queues of its message types are not consumed, except for occasional probes with
	 * a single message.
	 *
	 * @param dependency the service, as {@code outage.dependency} names it
	 * @param messageTypes the names of the policies that share it, sorted
	 * @param reason the reason of the failure that revealed it
	 * @param began when consumption was paused
	 * @param ended when consumption was resumed, or {@code null} while the outage lasts
	 * @param probes the number of handler calls made to check whether the service is up
	 * again
	 */
	record Outage(String dependency, List<String> messageTypes, String reason, Instant began, @Nullable Instant ended,
			int probes) {

		public Outage {
			messageTypes = List.copyOf(messageTypes);
		}

	}

}
