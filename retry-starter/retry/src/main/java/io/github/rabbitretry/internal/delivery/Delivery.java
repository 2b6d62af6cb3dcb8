/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.delivery;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.CarriedHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.OutboundProperties;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * A delivery from its arrival to its end: all that decides about it, logs it, parks it or
 * publishes a copy of it gets this. What is decided from is known once its handler
 * failed, or it is not to be handled.
 */
public class Delivery {

	private final MessagePolicy policy;

	private final ConfirmedPublisher publisher;

	private final ReceivedMessage received;

	private final Acknowledgement acknowledgement;

	private @Nullable Basis basis;

	private @Nullable String fingerprint;

	/**
	 * Creates a delivery.
	 * @param policy its message type's policy
	 * @param publisher publishes its copies
	 * @param received the message as received
	 * @param acknowledgement settles the delivery
	 */
	public Delivery(MessagePolicy policy, ConfirmedPublisher publisher, ReceivedMessage received,
			Acknowledgement acknowledgement) {
		this.policy = policy;
		this.publisher = publisher;
		this.received = received;
		this.acknowledgement = acknowledgement;
	}

	/**
	 * To be called before anything is decided about the delivery.
	 * @param history what its headers say, with what was spent since
	 * @param failure what the handler threw, or {@code null} if it was not called
	 * @param now when it failed
	 * @return this
	 */
	public Delivery recordFailure(DeliveryHistory history, @Nullable Throwable failure, Instant now) {
		this.basis = new Basis(history, failure, now);
		this.fingerprint = null;
		return this;
	}

	/**
	 * The message type's policy.
	 * @return the policy
	 */
	public MessagePolicy policy() {
		return this.policy;
	}

	/**
	 * The message type.
	 * @return the policy's name
	 */
	public String messageType() {
		return this.policy.messageType();
	}

	/**
	 * What publishes its copies.
	 * @return the publisher
	 */
	public ConfirmedPublisher publisher() {
		return this.publisher;
	}

	/**
	 * The message.
	 * @return the message as received
	 */
	public ReceivedMessage received() {
		return this.received;
	}

	/**
	 * What settles the delivery.
	 * @return the acknowledgement
	 */
	public Acknowledgement acknowledgement() {
		return this.acknowledgement;
	}

	/**
	 * What its headers say, with what was spent since.
	 * @return the history
	 */
	public DeliveryHistory history() {
		return basis().history();
	}

	/**
	 * What the handler threw.
	 * @return the failure, or {@code null} if the handler was not called
	 */
	public @Nullable Throwable failure() {
		return basis().failure();
	}

	/**
	 * By what equal failures are known. Reading a stack trace takes tens of microseconds,
	 * so this is for messages that are parked.
	 * @param reason what stands for the failure if the handler was not called
	 * @return the fingerprint of what the handler threw, else of the reason
	 */
	public String fingerprint(String reason) {
		Throwable failure = failure();
		if (failure == null) {
			return FailureFingerprint.of(reason, messageType());
		}
		if (this.fingerprint == null) {
			this.fingerprint = FailureFingerprint.of(failure, messageType());
		}
		return this.fingerprint;
	}

	/**
	 * When it failed.
	 * @return the instant of the decision
	 */
	public Instant now() {
		return basis().now();
	}

	private Basis basis() {
		return Objects.requireNonNull(this.basis, "something is decided about it");
	}

	/**
	 * The largest frame that a copy has to fit into.
	 * @return bytes, 0 for no limit
	 */
	public int frameMax() {
		return this.acknowledgement.frameMax();
	}

	/**
	 * Begins to hand a message over, after which the delivery is acknowledged.
	 * @param message what to publish
	 * @param callback is notified of the end
	 * @return why the message can never be published, so that nothing was begun, or empty
	 */
	public Optional<String> handOver(OutboundMessage message, HandoverCallback callback) {
		return this.publisher.submit(message, this.acknowledgement, callback);
	}

	/**
	 * Begins to hand a copy over as the producer sent it.
	 * @param exchange where to
	 * @param routingKey with which key
	 * @param headers our headers, to which the copy's id is added
	 * @param callback is notified of the end
	 * @return {@code false} if the headers leave no room for ours or it can't be
	 * published as it is, so that nothing was begun
	 */
	public boolean handOverWhole(String exchange, String routingKey, Map<String, Object> headers,
			HandoverCallback callback) {
		headers.put(AppHeaders.HANDOVER_ID, this.publisher.nextId());
		OutboundProperties properties = OutboundProperties.of(this.received.properties(), headers, frameMax());
		return properties.dropped().isEmpty() && handOver(
				OutboundMessage.numbered(exchange, routingKey, properties.properties(), this.received.body()), callback)
			.isEmpty();
	}

	/**
	 * Begins to hand the message over to the quarantine queue, as it is. What the broker
	 * counted for it is left behind, so that its count begins anew there.
	 * @param callback the callback to notify
	 * @return {@code false} if its headers leave no room for ours or it can't be
	 * published as it is, and nothing was begun
	 */
	public boolean handOverToQuarantine(HandoverCallback callback) {
		Map<String, Object> headers = CarriedHeaders.of(this.received.properties());
		RetryHeaders.origin(headers, this);
		headers.put(AppHeaders.QUARANTINED_AT, now().toString());
		return handOverWhole(this.policy.topology().deadLetterExchange(), this.policy.topology().quarantine(), headers,
				callback);
	}

	/** What is decided from. */
	private record Basis(DeliveryHistory history, @Nullable Throwable failure, Instant now) {
	}

}
