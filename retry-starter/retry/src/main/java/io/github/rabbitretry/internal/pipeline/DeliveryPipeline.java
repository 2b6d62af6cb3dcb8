/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.invocation.HandlerTimeout;
import io.github.rabbitretry.internal.invocation.InfrastructureFailures;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.apache.commons.logging.LogFactory;

/**
 * The way of a queue's deliveries, from their container's thread to their settlement:
 * <ol>
 * <li>a producer's batch is divided, if the container divides batches,</li>
 * <li>the delivery waits for its turn in order, or while its container holds deliveries
 * back,</li>
 * <li>it is admitted, or not handled now,</li>
 * <li>it is deduplicated, its time is limited, and the service that it needs is up,</li>
 * <li>the handler is called, with local attempts,</li>
 * <li>what becomes of a failure is decided and executed.</li>
 * </ol>
 */
public final class DeliveryPipeline {

	private static final RateLimitedLog withoutId = new RateLimitedLog(LogFactory.getLog(RetryAdvice.class),
			Duration.ofMinutes(10));

	private final ManagedQueue queue;

	private final ManagedContainer container;

	private final DeliveryDecider decider;

	private final DeliveryCompletion completion;

	private final BatchHandling batches;

	private final Consumer<ListenerDelivery> inTurn = this::handleInTurn;

	private final BiPredicate<ListenerDelivery, Throwable> again = this::callsAgain;

	public DeliveryPipeline(ManagedQueue queue, ManagedContainer container, DeliveryDecider decider,
			DeliveryCompletion completion, BatchHandling batches) {
		this.queue = queue;
		this.container = container;
		this.decider = decider;
		this.completion = completion;
		this.batches = batches;
	}

	ManagedQueue queue() {
		return this.queue;
	}

	DeliveryDecider decider() {
		return this.decider;
	}

	/** On the container's thread. */
	void handle(ListenerDelivery delivery) {
		DeliveryChannel channel = delivery.acknowledgement().channel();
		if (this.container.settings().dividesBatches() && divisible(delivery)) {
			this.batches.handle(List.of(delivery), channel);
		}
		else if (!this.completion.redelivery().handlesInOrder(delivery, this.inTurn) && handleNow(delivery, channel)) {
			this.container.gate().leave(channel);
		}
	}

	/** On error, treat it as a batch; dividing it fails and is classified. */
	private static boolean divisible(ListenerDelivery delivery) {
		try {
			return delivery.call().divisible();
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	/** On a thread of its lane. */
	private void handleInTurn(ListenerDelivery delivery) {
		this.completion.guarded(delivery, () -> {
			this.completion.received(delivery);
			handleIfAdmitted(delivery);
		});
	}

	/** Whether the container did not take the delivery back. */
	private boolean handleNow(ListenerDelivery delivery, DeliveryChannel channel) {
		return this.completion.guarded(delivery, () -> {
			this.completion.received(delivery);
			if (!this.container.gate().pass(channel)) {
				this.completion.returned(delivery);
				return false;
			}
			handleIfAdmitted(delivery);
			return true;
		}, true);
	}

	private void handleIfAdmitted(ListenerDelivery delivery) {
		if (admits(delivery)) {
			handleAdmitted(delivery);
		}
	}

	/**
	 * Whether a delivery is to be handled now.
	 * @return {@code false} if it was settled instead
	 */
	boolean admits(ListenerDelivery delivery) {
		Optional<Decision> refusal = this.decider.admit(delivery);
		refusal.ifPresent((decision) -> this.completion.settle(delivery, decision));
		return refusal.isEmpty();
	}

	void handleAdmitted(ListenerDelivery delivery) {
		MessageDeduplicator deduplicator = this.queue.deduplicator();
		if (deduplicator != null) {
			callOnce(delivery, deduplicator);
		}
		HandlerTimeout timeout = this.queue.timeout();
		if (timeout != null) {
			callInTime(delivery, timeout);
		}
		else {
			callUnlessDown(delivery);
		}
	}

	/** Whether the message is a duplicate shows when its handler is to be called. */
	private void callOnce(ListenerDelivery delivery, MessageDeduplicator deduplicator) {
		String messageId = delivery.received().properties().getMessageId();
		// invalid UTF-8 decodes to this character, so different ids may compare equal
		if (messageId == null || messageId.isEmpty() || messageId.indexOf('\uFFFD') >= 0) {
			withoutId.warn(
					() -> ("A message of '%s' has no message id, or one that is no UTF-8, so that duplicates of it are handled again. "
							+ "Let its producer set one, or set deduplication.store of the message policy to none")
						.formatted(delivery.messageType()));
		}
		else {
			delivery.call().deduplicateWith(deduplicator, delivery.policy().queue(), messageId);
		}
	}

	/**
	 * A message that the broker delivers again while its earlier delivery is still
	 * handled here waits for that.
	 */
	private void callInTime(ListenerDelivery delivery, HandlerTimeout timeout) {
		delivery.call().limit(timeout);
		try (HandlerTimeout.Turn turn = this.container.awaitTurn(timeout, delivery.received(),
				delivery.call().redelivered(), delivery.acknowledgement().channel())) {
			if (turn != null) {
				callUnlessDown(delivery);
			}
			else {
				this.completion.giveBack(delivery);
			}
		}
	}

	private void callUnlessDown(ListenerDelivery delivery) {
		Dependency dependency = this.queue.dependency();
		OutageSettings outage = this.queue.policy().outage();
		if (dependency == null || outage == null) {
			call(delivery);
			return;
		}
		Acknowledgement acknowledgement = delivery.acknowledgement();
		DeliveryChannel channel = acknowledgement.channel();
		try (CircuitCall call = this.container.awaitCall(dependency, outage.reasons(), channel)) {
			if (!acknowledgement.open()) {
				this.completion.returned(delivery);
			}
			else if (call != null) {
				call.heldWhile(acknowledgement::open);
				delivery.circuitCall(call);
				call(delivery);
			}
			else if (!acknowledgement.isPart() && this.container.gate().giveBack(channel)) {
				this.completion.returned(delivery);
			}
			else {
				// the broker would take back what was handled of the same batch too
				this.container.gate().cancelBeforePause(acknowledgement);
				this.completion.settle(delivery, this.queue.untilProbe(delivery.freeze(null)));
			}
		}
	}

	/** With local attempts. */
	private void call(ListenerDelivery delivery) {
		DeliveryContext before = DeliveryContext.bind(delivery.context());
		try {
			delivery.attempts().make(this.queue.localRetry(), delivery, this.again);
			this.container.clearInterrupt();
		}
		catch (Throwable failure) {
			this.container.clearInterrupt();
			failed(delivery, failure);
			return;
		}
		finally {
			DeliveryContext.bind(before);
		}
		if (delivery.call().duplicate()) {
			this.completion.duplicate(delivery);
			return;
		}
		this.completion.succeeded(delivery);
		delivery.answered();
	}

	private void failed(ListenerDelivery delivery, Throwable failure) {
		if (InfrastructureFailures.asksForAcknowledgement(failure)) {
			this.completion.acknowledge(delivery);
			delivery.answered();
		}
		else if (InfrastructureFailures.interrupted(failure, this.container.gate().stopping())) {
			this.completion.giveBack(delivery);
		}
		else {
			delivery.freeze(InfrastructureFailures.ofHandler(failure, delivery.lastFailure()));
			Decision decision = this.decider.decide(delivery);
			CircuitCall call = delivery.circuitCall();
			if (call != null && call.pauses() && decision instanceof Decision.Postpone) {
				this.container.gate().cancelBeforePause(delivery.acknowledgement());
			}
			this.completion.settle(delivery, decision);
		}
	}

	private boolean callsAgain(ListenerDelivery delivery, Throwable failure) {
		this.container.clearInterrupt();
		// what the broker has again is handled where it is delivered next
		return delivery.acknowledgement().open() && !InfrastructureFailures.asksForAcknowledgement(failure)
				&& !InfrastructureFailures.interrupted(failure, this.container.gate().stopping())
				&& this.decider.callsAgain(delivery, failure);
	}

}
