/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayOutcome;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.DeliveryChannel;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.ForeignHeaders;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * Around the listener of a managed container: admits, handles, decides and settles each
 * delivery. Nothing that a listener throws gets past it, since the container would
 * requeue at once, or drop, or settle other deliveries too.
 */
final class RetryAdvice implements MethodInterceptor {

	private static final Log logger = LogFactory.getLog(RetryAdvice.class);

	private static final RateLimitedLog withoutId = new RateLimitedLog(logger, Duration.ofMinutes(10));

	private final ManagedContainer container;

	private final Admission admission;

	private final CachedClassification.Means means;

	private final FailureDecisions decisions;

	private final DecisionExecutor executor;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final InstantSource clock;

	private final BatchHandling batches;

	/** Keeps messages in order, or {@code null} if nobody does. */
	private final @Nullable OrderedHandling ordered;

	RetryAdvice(ManagedContainer container, ClassificationChain classification, Decider decider,
			DecisionExecutor executor, DeliveryListener events, AttemptObserver observer, InstantSource clock,
			@Nullable OrderedHandling ordered) {
		this.ordered = ordered;
		this.container = container;
		this.admission = new Admission(container, decider, executor, observer, clock);
		this.decisions = new FailureDecisions(container, classification, decider, events);
		this.means = new CachedClassification.Means(classification, decider, container::stopping);
		this.executor = executor;
		this.events = events;
		this.observer = observer;
		this.clock = clock;
		this.batches = new BatchHandling(container, this.admission, this);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) {
		Channel channel = (Channel) invocation.getArguments()[0];
		if (!(invocation.getArguments()[1] instanceof Message message)) {
			this.batches.handle(invocation, channel, (List<?>) invocation.getArguments()[1]);
			return null;
		}
		MessageProperties properties = message.getMessageProperties();
		DeliveryChannel deliveries = this.container.channel(channel, properties.getConsumerTag());
		Acknowledgement acknowledgement = new Acknowledgement(deliveries, properties.getDeliveryTag());
		ManagedQueue queue = this.container.queue(properties.getConsumerQueue());
		if (this.ordered != null && queue != null) {
			try {
				this.ordered.add(new HeldMessage(
						(again, received) -> handle(this.ordered, queue,
								this.container.call(invocation, channel, again), received, acknowledgement, deliveries,
								properties.isRedelivered()),
						this.ordered, this.container, invocation, message, received(queue, message), acknowledgement,
						deliveries));
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "A message of '%s' could not be kept in order. Its channel is closed"
					.formatted(queue.policy().messageType()), ex);
				acknowledgement.giveBack();
			}
			return null;
		}
		ListenerCall call = this.container.call(invocation, channel, message);
		if (queue == null) {
			if (this.container.passGate(deliveries)) {
				MissingPolicy.handle(call, acknowledgement, this.container.settings());
				uninterrupted();
			}
			this.container.leave(deliveries);
			return null;
		}
		ReceivedMessage received = received(queue, message);
		try {
			if (divisible(call)) {
				this.batches.handle(
						new BatchItem(queue, call, context(queue, received, call), acknowledgement, deliveries),
						invocation, channel);
				return null;
			}
			received(queue, acknowledgement);
			if (!this.container.passGate(deliveries)) {
				returned(queue, acknowledgement);
				return null;
			}
			handle(queue, call, received, acknowledgement, deliveries);
		}
		catch (Throwable ex) {
			notSettled(queue, call, received, acknowledgement, call.redelivered(), ex);
		}
		this.container.leave(deliveries);
		return null;
	}

	/**
	 * What can't tell fails again where the batch is taken apart, and is decided about.
	 */
	private static boolean divisible(ListenerCall call) {
		try {
			return call.divisible();
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	DeliveryContext context(ManagedQueue queue, ReceivedMessage received, ListenerCall call) {
		return new DeliveryContext(queue.policy(), received, this.clock, call);
	}

	/** Counts it as received, and in flight until its outcome is known. */
	void received(ManagedQueue queue, Acknowledgement acknowledgement) {
		acknowledgement.received(queue.publisher().inFlight());
		this.events.received(queue.policy().messageType());
	}

	/** The broker has it again, or will have. */
	void returned(ManagedQueue queue, Acknowledgement acknowledgement) {
		acknowledgement.released();
		this.events.returned(queue.policy().messageType());
	}

	/** Before the handler runs, which may change what it gets. */
	static ReceivedMessage received(ManagedQueue queue, Message message) {
		MessageProperties properties = message.getMessageProperties();
		return ForeignHeaders.removed(queue.policy(),
				new ReceivedMessage(ReceivedPropertiesConverter.received(properties), message.getBody(),
						orEmpty(properties.getReceivedExchange()), orEmpty(properties.getReceivedRoutingKey()),
						orEmpty(properties.getConsumerQueue())));
	}

	/** A defect of ours, or no memory. */
	void notSettled(ManagedQueue queue, ListenerCall call, ReceivedMessage received, Acknowledgement acknowledgement,
			boolean redelivered, Throwable failure) {
		String type = queue.policy().messageType();
		if (acknowledgement.begun()) {
			// parked too, it would be there twice
			BestEffortLog.error(logger,
					"A delivery of '%s' is settled, or being so, but something failed after that".formatted(type),
					failure);
			this.container.settled();
			return;
		}
		if (this.ordered != null && !redelivered) {
			// what is behind it would be handled first
			BestEffortLog.error(logger, "A delivery of '%s' could not be settled and is given back".formatted(type),
					failure);
			acknowledgement.giveBack();
			returned(queue, acknowledgement);
			return;
		}
		// in order, parking it may end consuming instead; of an existing queue without a
		// dead-letter exchange, RabbitMQ drops what is rejected
		boolean parked = this.ordered != null || queue.policy().topology().hasExistingQueue();
		BestEffortLog.error(logger, "A delivery of '%s' could not be settled and is %s".formatted(type,
				parked ? "parked" : "dead-lettered"), failure);
		if (!parked) {
			acknowledgement.reject();
			returned(queue, acknowledgement);
			return;
		}
		try {
			DeliveryContext context = context(queue, received, call);
			this.executor.settle(queue.delivery(context, acknowledgement, null, this.clock.instant()),
					FailureDecisions.UNKNOWN);
			this.container.settled();
		}
		catch (Throwable again) {
			BestEffortLog.error(logger, "A delivery of '%s' could not be parked".formatted(type), again);
			if (!acknowledgement.begun()) {
				acknowledgement.giveBack();
				returned(queue, acknowledgement);
			}
		}
	}

	/**
	 * On a thread of its lane.
	 * @param redelivered whether the broker delivered it again; a held message looks as
	 * if it did not
	 */
	private void handle(OrderedHandling ordered, ManagedQueue queue, ListenerCall call, ReceivedMessage received,
			Acknowledgement acknowledgement, DeliveryChannel deliveries, boolean redelivered) {
		ordered.handle(this.observer, call.message(), () -> {
			try {
				received(queue, acknowledgement);
				handle(queue, call, received, acknowledgement, deliveries);
			}
			catch (Throwable ex) {
				notSettled(queue, call, received, acknowledgement, redelivered, ex);
			}
		});
	}

	private void handle(ManagedQueue queue, ListenerCall call, ReceivedMessage received,
			Acknowledgement acknowledgement, DeliveryChannel deliveries) {
		DeliveryContext context = context(queue, received, call);
		if (this.admission.admitted(queue, call, context, acknowledgement)) {
			handle(queue, call, context, acknowledgement, deliveries, LocalRetry::run);
		}
	}

	void handle(ManagedQueue queue, ListenerCall call, DeliveryContext context, Acknowledgement acknowledgement,
			DeliveryChannel deliveries, Attempts attempts) {
		MessagePolicy policy = queue.policy();
		if (queue.deduplicator() != null) {
			deduplicate(queue.deduplicator(), policy, context.received(), call);
		}
		HandlerTimeout timeout = queue.timeout();
		if (timeout == null) {
			handleUntimed(queue, call, context, acknowledgement, deliveries, attempts);
			return;
		}
		call.limit(timeout);
		try (HandlerTimeout.Turn turn = this.container.awaitTurn(timeout, context.received(), call.redelivered(),
				deliveries)) {
			if (turn != null) {
				handleUntimed(queue, call, context, acknowledgement, deliveries, attempts);
			}
			else {
				acknowledgement.giveBack();
				returned(queue, acknowledgement);
			}
		}
	}

	private void handleUntimed(ManagedQueue queue, ListenerCall call, DeliveryContext context,
			Acknowledgement acknowledgement, DeliveryChannel deliveries, Attempts attempts) {
		MessagePolicy policy = queue.policy();
		if (queue.dependency() == null) {
			call(queue, call, attempts,
					new CachedClassification(this.means, queue, call, context, acknowledgement, null));
			return;
		}
		Set<String> reasons = Objects.requireNonNull(policy.outage(), "its dependency is known").reasons();
		try (CircuitCall circuitCall = this.container.awaitCall(queue.dependency(), reasons, deliveries)) {
			if (!acknowledgement.open()) {
				returned(queue, acknowledgement);
			}
			else if (circuitCall != null) {
				call(queue, call, attempts,
						new CachedClassification(this.means, queue, call, context, acknowledgement, circuitCall));
			}
			else if (!acknowledgement.isPart() && this.container.giveBack(deliveries)) {
				returned(queue, acknowledgement);
			}
			else {
				// the broker would take back what was handled of the same batch too
				this.container.cancelBeforePause(acknowledgement);
				Delivery delivery = queue.delivery(context, acknowledgement, null, this.clock.instant());
				this.executor.settle(delivery, queue.untilProbe(delivery));
				this.container.settled();
			}
		}
	}

	private void call(ManagedQueue queue, ListenerCall call, Attempts attempts, CachedClassification classification) {
		DeliveryContext context = classification.context();
		Acknowledgement acknowledgement = classification.acknowledgement();
		DeliveryContext before = DeliveryContext.bind(context);
		try {
			attempts.make(queue.localRetry(), call, (failure) -> {
				uninterrupted();
				return againSoon(classification, failure);
			});
			uninterrupted();
		}
		catch (Throwable failure) {
			uninterrupted();
			failed(queue, context.received(), acknowledgement, failure, classification);
			return;
		}
		finally {
			DeliveryContext.bind(before);
		}
		if (call.duplicate()) {
			duplicate(queue.policy(), context.received(), acknowledgement);
			return;
		}
		succeeded(queue, context, acknowledgement);
		if (classification.circuitCall() != null) {
			classification.circuitCall().succeeded();
		}
	}

	void succeeded(ManagedQueue queue, DeliveryContext context, Acknowledgement acknowledgement) {
		ReceivedMessage received = context.received();
		if (queue.signals().suspicious()) {
			queue.signals().succeeded(received.properties().getHeaders());
		}
		if (queue.ratioLimiter() != null && context.history().retried()) {
			queue.ratioLimiter().succeeded();
		}
		acknowledge(queue.policy(), received, acknowledgement);
	}

	private static void deduplicate(MessageDeduplicator deduplicator, MessagePolicy policy, ReceivedMessage received,
			ListenerCall call) {
		String messageId = received.properties().getMessageId();
		// the client reads whatever is no UTF-8 as this character: different ids are the
		// same
		if (messageId == null || messageId.isEmpty() || messageId.indexOf('\uFFFD') >= 0) {
			withoutId.warn(
					() -> ("A message of '%s' has no message id, or one that is no UTF-8, so that duplicates of it are handled again. "
							+ "Let its producer set one, or set deduplication.store of the message policy to none")
						.formatted(policy.messageType()));
			return;
		}
		call.onceBy(deduplicator, policy.queue(), messageId);
	}

	/** Settled like the delivery that was handled. */
	private void duplicate(MessagePolicy policy, ReceivedMessage received, Acknowledgement acknowledgement) {
		this.observer.duplicate(policy.messageType());
		if (logger.isDebugEnabled()) {
			logger.debug("A message of '%s' was handled before and is acknowledged: %s".formatted(policy.messageType(),
					LogText.of(received.properties().getMessageId())));
		}
		this.events.duplicate(policy.messageType());
		acknowledge(policy, received, acknowledgement);
	}

	private boolean againSoon(CachedClassification classification, Throwable failure) {
		// what the broker has again is handled where it is delivered next
		boolean again = classification.acknowledgement().open() && classification.againSoon(failure);
		if (again) {
			this.observer.repeated(classification.evaluate(failure).classification().reason());
		}
		return again;
	}

	/**
	 * A handler may leave its thread interrupted. A container takes that for a request to
	 * stop, and its listener would never be called again.
	 */
	void uninterrupted() {
		if (!this.container.stopping()) {
			Thread.interrupted();
		}
	}

	private void failed(ManagedQueue queue, ReceivedMessage received, Acknowledgement acknowledgement,
			Throwable failure, CachedClassification classification) {
		MessagePolicy policy = queue.policy();
		if (InfrastructureFailures.asksForAcknowledgement(failure)) {
			acknowledge(policy, received, acknowledgement);
			if (classification.circuitCall() != null) {
				classification.circuitCall().succeeded();
			}
			return;
		}
		if (InfrastructureFailures.interrupted(failure, this.container.stopping())) {
			acknowledgement.giveBack();
			returned(queue, acknowledgement);
			return;
		}
		Throwable cause = InfrastructureFailures.ofHandler(failure, classification.last());
		Delivery delivery = queue.delivery(classification.context(), acknowledgement, cause, this.clock.instant());
		this.executor.settle(delivery, this.decisions.decide(queue, delivery, cause, classification));
		this.container.settled();
	}

	void acknowledge(MessagePolicy policy, ReceivedMessage received, Acknowledgement acknowledgement) {
		if (acknowledgement.acknowledge()) {
			this.events.acknowledged(policy.messageType());
			ReplayCompletion.tell(this.events, policy, received, ReplayOutcome.SUCCEEDED);
		}
		else {
			this.events.returned(policy.messageType());
		}
	}

	private static String orEmpty(@Nullable String text) {
		return (text != null) ? text : "";
	}

	/** Calls the handler until it succeeds, or throws what the last call threw. */
	@FunctionalInterface
	interface Attempts {

		void make(LocalRetry localRetry, ListenerCall call, Predicate<Throwable> again) throws Throwable;

	}

}
