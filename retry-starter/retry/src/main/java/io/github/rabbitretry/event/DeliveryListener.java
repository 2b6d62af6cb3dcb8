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
 * Is notified of what happens to deliveries of managed listeners. Metrics and logs are
 * implementations; so is any bean of this type.
 * <p>
 * Every delivery is reported as received once, and once as one of acknowledged, retried,
 * parked, discarded or returned; the latter when it is settled, not when it is decided.
 * What happens to a delivery whose process dies in between is not told. Callbacks run on
 * listener and confirm threads and must not block; an exception is logged and touches
 * nothing else.
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
	 * A delivery's copy waits for its next attempt and the original is acknowledged.
	 * @param messageType the policy's name
	 * @param reason why it failed
	 * @param failureClass the kind of failure
	 * @param age the time since the message's first failure
	 */
	default void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
	}

	/**
	 * A delivery went on waiting, and no attempt is counted: it came back too early, was
	 * {@link #throttled} or {@link #quarantined}, or an {@linkplain #outageBegan outage}
	 * is to blame.
	 * @param messageType the policy's name
	 */
	default void postponed(String messageType) {
	}

	/**
	 * A delivery that came back was not handled, because the ratio of retries to first
	 * deliveries is spent. Told besides {@link #postponed}.
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
	 * The event that tells of a delivery's business rejection is confirmed and the
	 * delivery acknowledged. Told besides acknowledged, as which it counts.
	 * @param messageType the policy's name
	 * @param reason why
	 */
	default void rejected(String messageType, String reason) {
	}

	/**
	 * A message had been handled before, so that its handler was not called, and its
	 * delivery is acknowledged. Told besides {@link #acknowledged}, as which it counts.
	 * @param messageType the policy's name
	 */
	default void duplicate(String messageType) {
	}

	/**
	 * A delivery is the broker's again: the service stops, or its channel closed before
	 * the delivery was settled.
	 * @param messageType the policy's name
	 */
	default void returned(String messageType) {
	}

	/**
	 * The broker dead-lettered a message, and the consumer of dead letters moved it into
	 * the parking lot. Not a delivery of a listener, so told besides the others.
	 * @param messageType the policy's name
	 * @param reason why, one of the reasons for broker-made deaths
	 * @param failureClass the kind of failure
	 */
	default void deadLettered(String messageType, String reason, FailureClass failureClass) {
	}

	/**
	 * The delivery of a dead-lettered message ended the connection of the dead letters'
	 * consumer time and again, until the broker moved the message to the queue of
	 * undeliverable messages. Not a delivery of a listener, so told besides the others.
	 * @param messageType the policy's name
	 */
	default void undeliverable(String messageType) {
	}

	/**
	 * A message whose consumers died with it in their hands was handed over to the
	 * quarantine. Told besides {@link #postponed}, and alone if the consumer of dead
	 * letters did it with a message that the broker had given up.
	 * @param messageType the policy's name
	 */
	default void quarantined(String messageType) {
	}

	/**
	 * Something stands out among the failures of a message type. Told once within each
	 * window of five minutes for each value, besides the others.
	 * @param signal what stands out
	 */
	default void poisonSuspected(PoisonSignal signal) {
	}

	/**
	 * A delivery was decided, and a rule in shadow mode would have classified it. Told
	 * besides what became of the delivery, once for each such rule.
	 * @param messageType the policy's name
	 * @param reason the rule's reason
	 * @param failureClass the rule's failure class
	 */
	default void shadowMatched(String messageType, String reason, FailureClass failureClass) {
	}

	/**
	 * A message keeps failing for longer than its policy's {@code escalate-after}, and is
	 * tried on. Told besides {@link #retried}, once per message: again only if the
	 * process died before the copy that remembers it was confirmed.
	 * @param message the message
	 */
	default void escalated(EscalatedMessage message) {
	}

	/**
	 * A service that handlers call is down, and the queues of its message types are not
	 * consumed, but for probes. Told once for all of them.
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
	 * A replayed message came to its end, after the event that tells of its delivery. Not
	 * told of one that waits for its next attempt.
	 * @param messageType the policy's name
	 * @param mark which replay and which of its messages
	 * @param outcome what became of it
	 */
	default void replayEnded(String messageType, ReplayReference mark, ReplayOutcome outcome) {
	}

	/**
	 * An outage of a service that handlers call, as this process sees it: while it lasts,
	 * the queues of its message types are not consumed, but for a single message now and
	 * then.
	 *
	 * @param dependency the service, as {@code outage.dependency} names it
	 * @param messageTypes the names of the policies that share it, sorted
	 * @param reason the reason of the failure that made it known
	 * @param began when consuming stopped
	 * @param ended when consuming was resumed, or {@code null} while the outage lasts
	 * @param probes the handler calls that were made to see whether the service is up
	 * again
	 */
	record Outage(String dependency, List<String> messageTypes, String reason, Instant began, @Nullable Instant ended,
			int probes) {

		public Outage {
			messageTypes = List.copyOf(messageTypes);
		}

	}

}
