/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.invocation.ListenerCall;
import io.github.rabbitretry.internal.invocation.LocalRetry;
import io.github.rabbitretry.internal.invocation.ProducerBatch;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.outage.CircuitCall;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;

/**
 * A delivery of a managed listener, on its way to its settlement.
 */
public final class ListenerDelivery extends Delivery {

	private static final RateLimitedLog ignoredHeaders = new RateLimitedLog(LogFactory.getLog(ListenerDelivery.class),
			Duration.ofSeconds(10));

	private static final RateLimitedLog clockSkew = new RateLimitedLog(LogFactory.getLog(ListenerDelivery.class),
			Duration.ofHours(1));

	private final DeliveryPipeline pipeline;

	private final ListenerCall call;

	private final DeliveryContext context;

	private final boolean redelivered;

	private Attempts attempts = Attempts.LOCAL;

	private @Nullable CircuitCall circuitCall;

	private @Nullable Classified classified;

	public ListenerDelivery(DeliveryPipeline pipeline, ListenerCall call, ReceivedMessage received,
			Acknowledgement acknowledgement, boolean redelivered) {
		super(pipeline.queue().policy(), pipeline.queue().publisher(), received, acknowledgement);
		this.pipeline = pipeline;
		this.call = call;
		this.redelivered = redelivered;
		this.context = new DeliveryContext(policy(), received, pipeline.decider().clock(), call);
	}

	/**
	 * The messages that its producer made a batch of, each of which is settled by itself.
	 */
	List<ListenerDelivery> parts() {
		List<ProducerBatch.Part> parts = this.call.divide(received());
		List<Acknowledgement> acknowledgements = acknowledgement().divide(parts.size());
		List<ListenerDelivery> deliveries = new ArrayList<>(parts.size());
		for (int index = 0; index < parts.size(); index++) {
			ProducerBatch.Part part = parts.get(index);
			deliveries.add(part(part.message(), part.received(), acknowledgements.get(index)));
		}
		return deliveries;
	}

	private ListenerDelivery part(Message message, ReceivedMessage part, Acknowledgement partAcknowledgement) {
		return new ListenerDelivery(this.pipeline, this.call.with(message), part, partAcknowledgement,
				this.redelivered);
	}

	/** The same, to be handled again. */
	public ListenerDelivery again(Message message, ReceivedMessage again) {
		return part(message, again, acknowledgement());
	}

	/** The stages of its queue. */
	DeliveryPipeline pipeline() {
		return this.pipeline;
	}

	ManagedQueue queue() {
		return this.pipeline.queue();
	}

	/** The calls of the handler for it. */
	public ListenerCall call() {
		return this.call;
	}

	/** What a handler may ask about it. */
	DeliveryContext context() {
		return this.context;
	}

	/**
	 * Whether the broker delivered it again. For held messages the handler sees
	 * {@code redelivered=false}.
	 */
	boolean redelivered() {
		return this.redelivered;
	}

	Attempts attempts() {
		return this.attempts;
	}

	/** Has the handler called otherwise than alone and as often as the policy allows. */
	void attempts(Attempts others) {
		this.attempts = others;
	}

	/** The call as the circuit of its service sees it, or {@code null} without one. */
	@Nullable CircuitCall circuitCall() {
		return this.circuitCall;
	}

	void circuitCall(CircuitCall passed) {
		this.circuitCall = passed;
	}

	/** The service that its handler calls has answered. */
	void answered() {
		if (this.circuitCall != null) {
			this.circuitCall.succeeded();
		}
	}

	/** Classifies a failure of its handler, once. */
	ClassificationResult classify(ClassificationChain classification, Throwable failure) {
		Classified known = this.classified;
		if (known == null || known.failure() != failure) {
			known = new Classified(failure, classification.evaluate(failure, new FailedDelivery(messageType(),
					this.context.attempt(), this.call.message().getMessageProperties())));
			this.classified = known;
		}
		return known.result();
	}

	/** The failure that was classified last. */
	@Nullable Throwable lastFailure() {
		return (this.classified != null) ? this.classified.failure() : null;
	}

	/**
	 * To be called before anything is decided about it.
	 * @param failure what the handler threw, or {@code null} if it was not called
	 * @return this
	 */
	ListenerDelivery freeze(@Nullable Throwable failure) {
		Instant now = this.context.now();
		DeliveryHistory history = this.context.history();
		if (!history.ignored().isEmpty()) {
			ignoredHeaders.warn(() -> "A message of '%s' has headers that can't be believed and are ignored: %s"
				.formatted(messageType(), history.ignored()));
		}
		if (history.retried()) {
			warnOfClockSkew(now);
		}
		recordFailure(history, failure, now);
		return this;
	}

	private void warnOfClockSkew(Instant now) {
		Duration ahead = DeliveryHistory.clockAhead(received().headers(), now);
		if (!ahead.isZero()) {
			clockSkew
				.warn(() -> ("The clock of consumer %s is ahead of this instance's by at least %s s. Ages of retried "
						+ "messages are wrong by as much, and max-retry-age with them. Synchronize the clocks.")
					.formatted(LogText.of(String.valueOf(received().headers().get(AppHeaders.CONSUMER))),
							ahead.toSeconds()));
		}
	}

	/**
	 * Calls the handler until it succeeds, or throws what the last call threw.
	 */
	@FunctionalInterface
	interface Attempts {

		/**
		 * As often as the policy allows. A first call that succeeds allocates nothing.
		 */
		Attempts LOCAL = (localRetry, delivery, again) -> {
			try {
				delivery.call().run();
			}
			catch (Throwable first) {
				localRetry.goOn(delivery.call(), (failure) -> again.test(delivery, failure), first);
			}
		};

		void make(LocalRetry localRetry, ListenerDelivery delivery, BiPredicate<ListenerDelivery, Throwable> again)
				throws Throwable;

	}

	private record Classified(Throwable failure, ClassificationResult result) {
	}

}
