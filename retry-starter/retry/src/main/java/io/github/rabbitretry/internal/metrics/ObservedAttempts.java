/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.github.rabbitretry.internal.pipeline.ObservedListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.support.micrometer.RabbitListenerObservation;
import org.springframework.amqp.rabbit.support.micrometer.RabbitListenerObservation.DefaultRabbitListenerObservationConvention;
import org.springframework.amqp.rabbit.support.micrometer.RabbitMessageReceiverContext;

/**
 * Adds to the container's observation of a delivery what became of it. Since no failure
 * escapes to the container, each attempt would look like a success otherwise.
 * <p>
 * All key values are of high cardinality, so that they are in traces only: those of low
 * cardinality are tags of the container's timer, which must always be the same ones.
 */
public final class ObservedAttempts implements AttemptObserver {

	private static final String PREFIX = "rabbit.retry.";

	private static final Log logger = LogFactory.getLog(ObservedAttempts.class);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(10));

	private final ObservationRegistry registry;

	private final Collection<String> textHeaders;

	/**
	 * Creates the observer.
	 * @param registry where the containers' observations are current
	 * @param textHeaders headers that its propagator reads besides its own
	 */
	public ObservedAttempts(ObservationRegistry registry, Collection<String> textHeaders) {
		this.registry = registry;
		this.textHeaders = textHeaders;
	}

	/** As the container observes what its own threads handle. */
	@Override
	public void handled(Message message, ObservedListener listener, Runnable handling) {
		boolean[] begun = new boolean[1];
		try {
			RabbitListenerObservation.LISTENER_OBSERVATION
				.observation(listener.convention(), DefaultRabbitListenerObservationConvention.INSTANCE,
						() -> new RabbitMessageReceiverContext(message, listener.id()), this.registry)
				.observe(() -> {
					begun[0] = true;
					handling.run();
				});
		}
		catch (RuntimeException ex) {
			if (begun[0]) {
				throw ex;
			}
			this.warning.warn(() -> "An attempt is not observed: its observation can't begin", ex);
			handling.run();
		}
	}

	@Override
	public Collection<String> textHeaders() {
		return this.textHeaders;
	}

	@Override
	public void cameBack(String messageType, int attempt) {
		observe((observation) -> attempt(observation, messageType, attempt));
	}

	@Override
	public void repeated(String reason) {
		observe((observation) -> observation
			.event(Observation.Event.of(PREFIX + "local", "local attempt failed: " + reason)));
	}

	@Override
	public void duplicate(String messageType) {
		observe((observation) -> {
			add(observation, "message.type", messageType);
			add(observation, "outcome", "duplicate");
		});
	}

	@Override
	public void decided(Delivery delivery, Decision decision) {
		observe((observation) -> {
			attempt(observation, delivery.messageType(), delivery.history().attempt());
			decision.accept(new Decided(observation), delivery);
		});
	}

	/**
	 * Of this delivery, unless its container observes nothing. An observation handler
	 * that fails decides nothing.
	 */
	private void observe(Consumer<Observation> what) {
		try {
			Observation observation = this.registry.getCurrentObservation();
			if (observation != null && observation.getContextView() instanceof RabbitMessageReceiverContext) {
				what.accept(observation);
			}
		}
		catch (Throwable ex) {
			this.warning.warn("An attempt could not be observed", ex);
		}
	}

	private static void attempt(Observation observation, String messageType, int attempt) {
		add(observation, "message.type", messageType);
		add(observation, "attempt", String.valueOf(attempt));
	}

	private static void outcome(Observation observation, String outcome, String reason,
			@Nullable FailureClass failureClass) {
		add(observation, "outcome", outcome);
		add(observation, "reason", reason);
		if (failureClass != null) {
			add(observation, "class", failureClass.label());
		}
	}

	private static void add(Observation observation, String name, String value) {
		observation.highCardinalityKeyValue(PREFIX + name, value);
	}

	/** What is decided, added to the observation of the delivery. */
	private record Decided(Observation observation) implements Decision.Visitor<Delivery> {

		@Override
		public void retry(Delivery delivery, Decision.Retry retry) {
			outcome(this.observation, "retried", retry.reason(), retry.failureClass());
			add(this.observation, "delay", retry.delay().toString());
			failed(delivery);
		}

		@Override
		public void postpone(Delivery delivery, Decision.Postpone postpone) {
			add(this.observation, "outcome", "postponed");
			waits(delivery, postpone.until());
		}

		@Override
		public void throttle(Delivery delivery, Decision.Throttle throttle) {
			outcome(this.observation, "throttled", throttle.reason(), null);
			waits(delivery, throttle.until());
		}

		@Override
		public void quarantine(Delivery delivery, Decision.Quarantine quarantine) {
			add(this.observation, "outcome", "quarantined");
		}

		@Override
		public void park(Delivery delivery, Decision.Park park) {
			outcome(this.observation, "parked", park.reason(), park.failureClass());
			add(this.observation, "failure.reason", park.failureReason());
			failed(delivery);
		}

		@Override
		public void discard(Delivery delivery, Decision.Discard discard) {
			outcome(this.observation, "discarded", discard.reason(), discard.failureClass());
		}

		@Override
		public void reject(Delivery delivery, Decision.Reject reject) {
			outcome(this.observation, "rejected", reject.reason(), reject.failureClass());
		}

		@Override
		public void returnToQueue(Delivery delivery, Decision.Return decision) {
			outcome(this.observation, "returned", decision.reason(), null);
		}

		private void waits(Delivery delivery, Instant until) {
			add(this.observation, "delay", Duration.between(delivery.now(), until).toString());
		}

		private void failed(Delivery delivery) {
			Throwable failure = delivery.failure();
			if (failure != null) {
				this.observation.error(failure);
			}
		}

	}

}
