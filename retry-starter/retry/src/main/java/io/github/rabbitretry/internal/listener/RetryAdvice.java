/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayOutcome;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.classify.ClassificationStep;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.event.BestEffortLog;
import io.github.rabbitretry.internal.event.LogText;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.DeliveryChannel;
import io.github.rabbitretry.internal.handover.LastFailure;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.handover.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.DeliveryHistory;
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

	private static final OccasionalWarning ignoredHeaders = new OccasionalWarning(logger, Duration.ofSeconds(10));

	private static final OccasionalWarning withoutId = new OccasionalWarning(logger, Duration.ofMinutes(10));

	private static final Decision UNKNOWN = new Decision.Park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN,
			Reasons.UNKNOWN_FAILURE);

	private final ManagedContainer container;

	private final ClassificationChain classification;

	private final Decider decider;

	private final CachedClassification.Means means;

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
		this.classification = classification;
		this.decider = decider;
		this.means = new CachedClassification.Means(classification, decider, container::stopping);
		this.executor = executor;
		this.events = events;
		this.observer = observer;
		this.clock = clock;
		this.batches = new BatchHandling(container, this, events);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) {
		Channel channel = (Channel) invocation.getArguments()[0];
		if (!(invocation.getArguments()[1] instanceof Message message)) {
			this.batches.handle(invocation, channel, (List<?>) invocation.getArguments()[1]);
			return null;
		}
		MessageProperties properties = message.getMessageProperties();
		ReceivedMessage received = received(message);
		DeliveryChannel deliveries = this.container.channel(channel, properties.getConsumerTag());
		Acknowledgement acknowledgement = new Acknowledgement(deliveries, properties.getDeliveryTag());
		ManagedQueue queue = this.container.queue(properties.getConsumerQueue());
		if (this.ordered != null && queue != null) {
			this.ordered.add(new HeldMessage(this, queue, this.container, invocation, message, received,
					acknowledgement, deliveries));
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
		try {
			if (divisible(call)) {
				this.batches.handle(
						new BatchItem(queue, call, context(queue, received, call), acknowledgement, deliveries),
						invocation, channel);
				return null;
			}
			this.events.received(queue.policy().messageType());
			if (!this.container.passGate(deliveries)) {
				this.events.returned(queue.policy().messageType());
				return null;
			}
			handle(queue, call, received, acknowledgement, deliveries);
		}
		catch (Throwable ex) {
			notSettled(queue, call, received, acknowledgement, ex);
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

	/** Before the handler runs, which may change what it gets. */
	static ReceivedMessage received(Message message) {
		MessageProperties properties = message.getMessageProperties();
		return new ReceivedMessage(ReceivedPropertiesConverter.received(properties), message.getBody(),
				orEmpty(properties.getReceivedExchange()), orEmpty(properties.getReceivedRoutingKey()),
				orEmpty(properties.getConsumerQueue()));
	}

	/** A defect of ours, or no memory. */
	void notSettled(ManagedQueue queue, ListenerCall call, ReceivedMessage received, Acknowledgement acknowledgement,
			Throwable failure) {
		String type = queue.policy().messageType();
		if (acknowledgement.begun()) {
			// parked too, it would be there twice
			BestEffortLog.error(logger,
					"A delivery of '%s' is settled, or being so, but something failed after that".formatted(type),
					failure);
			this.container.settled();
			return;
		}
		boolean existing = queue.policy().topology().hasExistingQueue();
		BestEffortLog.error(logger, "A delivery of '%s' could not be settled and is %s".formatted(type,
				existing ? "parked" : "dead-lettered"), failure);
		if (!existing) {
			acknowledgement.reject();
			this.events.returned(type);
			return;
		}
		// RabbitMQ drops what is rejected where the queue has no dead-letter exchange
		try {
			DeliveryContext context = context(queue, received, call);
			this.executor.settle(delivery(queue, received, acknowledgement, context, null), UNKNOWN);
			this.container.settled();
		}
		catch (Throwable again) {
			BestEffortLog.error(logger, "A delivery of '%s' could not be parked".formatted(type), again);
			if (!acknowledgement.begun()) {
				acknowledgement.giveBack();
				this.events.returned(type);
			}
		}
	}

	/** On a thread of its lane. */
	void handleInOrder(ManagedQueue queue, ListenerCall call, ReceivedMessage received, Acknowledgement acknowledgement,
			DeliveryChannel deliveries) {
		try {
			this.events.received(queue.policy().messageType());
			handle(queue, call, received, acknowledgement, deliveries);
		}
		catch (Throwable ex) {
			notSettled(queue, call, received, acknowledgement, ex);
		}
	}

	private void handle(ManagedQueue queue, ListenerCall call, ReceivedMessage received,
			Acknowledgement acknowledgement, DeliveryChannel deliveries) {
		DeliveryContext context = context(queue, received, call);
		if (admitted(queue, call, context, acknowledgement)) {
			handle(queue, call, context, acknowledgement, deliveries, LocalRetry::run);
		}
	}

	/**
	 * Whether a message is to be handled now.
	 * @return {@code false} if it was decided about without that
	 */
	boolean admitted(ManagedQueue queue, ListenerCall call, DeliveryContext context, Acknowledgement acknowledgement) {
		ReceivedMessage received = context.received();
		boolean redelivered = call.redelivered();
		Optional<Decision> crashed = queue.crashLoopDetector().judge(redelivered, received.properties().getHeaders());
		if (crashed.isPresent()) {
			crashed(queue, delivery(queue, received, acknowledgement, context, null), crashed.get());
			return false;
		}
		if (cameBack(received.properties().getHeaders())) {
			Delivery delivery = delivery(queue, received, acknowledgement, context, null);
			Optional<Decision> refusal = admit(queue, delivery);
			if (refusal.isPresent()) {
				this.executor.settle(delivery, refusal.get());
				this.container.settled();
				return false;
			}
			this.observer.cameBack(queue.policy().messageType(), delivery.history().attempt());
		}
		else if (queue.ratioLimiter() != null && !redelivered) {
			queue.ratioLimiter().firstDelivery();
		}
		return true;
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
				this.events.returned(policy.messageType());
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
				this.events.returned(policy.messageType());
			}
			else if (circuitCall != null) {
				call(queue, call, attempts,
						new CachedClassification(this.means, queue, call, context, acknowledgement, circuitCall));
			}
			else if (!acknowledgement.isPart() && this.container.giveBack(deliveries)) {
				this.events.returned(policy.messageType());
			}
			else {
				// the broker would take back what was handled of the same batch too
				this.container.cancelBeforePause(acknowledgement);
				Delivery delivery = delivery(queue, context.received(), acknowledgement, context, null);
				this.executor.settle(delivery, untilProbe(queue.dependency(), delivery));
				this.container.settled();
			}
		}
	}

	private static Decision untilProbe(Dependency dependency, Delivery delivery) {
		return new Decision.Postpone(delivery.now().plus(dependency.circuit().delay()));
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
		if (classification.circuitCall() != null) {
			classification.circuitCall().succeeded();
		}
		succeeded(queue, context.received(), acknowledgement);
	}

	void succeeded(ManagedQueue queue, ReceivedMessage received, Acknowledgement acknowledgement) {
		if (queue.signals().suspicious()) {
			queue.signals().succeeded(received.properties().getHeaders());
		}
		acknowledge(queue.policy(), received, acknowledgement);
	}

	private static void deduplicate(MessageDeduplicator deduplicator, MessagePolicy policy, ReceivedMessage received,
			ListenerCall call) {
		String messageId = received.properties().getMessageId();
		if (messageId == null || messageId.isEmpty()) {
			withoutId.warn(() -> ("A message of '%s' has no message id, so that duplicates of it are handled again. "
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
			this.observer.repeated(classification.judge(failure).classification().reason());
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

	private void crashed(ManagedQueue queue, Delivery delivery, Decision decision) {
		if (decision instanceof Decision.Park) {
			queue.signals().blamed(delivery.received().properties().getMessageId());
		}
		else {
			queue.signals().crashing();
		}
		this.executor.settle(delivery, decision);
		this.container.settled();
	}

	private Optional<Decision> admit(ManagedQueue queue, Delivery delivery) {
		MessagePolicy policy = queue.policy();
		FailureClassification last = LastFailure.of(delivery.received());
		DeliveryHistory history = withoutOutages(queue, delivery);
		Optional<Decision> refusal = this.decider.admit(policy, history, last, delivery.now());
		if (refusal.isPresent() || queue.ratioLimiter() == null || policy.brokerAttempts() == 0
				|| !delivery.history().retried() || queue.ratioLimiter().take()) {
			return refusal;
		}
		Duration waited = LastFailure.delay(delivery.received());
		return Optional.of(ThrottledDelay.decide(policy, history, waited, last, delivery.now()));
	}

	private void failed(ManagedQueue queue, ReceivedMessage received, Acknowledgement acknowledgement,
			Throwable failure, CachedClassification classification) {
		MessagePolicy policy = queue.policy();
		if (InfrastructureFailures.asksForAcknowledgement(failure)) {
			acknowledge(policy, received, acknowledgement);
			return;
		}
		if (InfrastructureFailures.interrupted(failure, this.container.stopping())) {
			acknowledgement.giveBack();
			this.events.returned(policy.messageType());
			return;
		}
		Throwable cause = InfrastructureFailures.ofHandler(failure, classification.last());
		Delivery delivery = delivery(queue, received, acknowledgement, classification.context(), cause);
		this.executor.settle(delivery, decide(queue, delivery, cause, classification));
		this.container.settled();
	}

	/** Whatever is wrong with a failure, the message is kept. */
	private Decision decide(ManagedQueue queue, Delivery delivery, Throwable cause,
			CachedClassification classification) {
		MessagePolicy policy = queue.policy();
		try {
			ClassificationResult result = classification.judge(cause);
			tell(policy, result);
			FailureClassification what = classification.demanded(result.classification());
			Decision decision = this.decider.decide(policy, withoutOutages(queue, delivery), what, delivery.now());
			if (caughtInOutage(classification.circuitCall(), what, decision)) {
				this.container.cancelBeforePause(delivery.acknowledgement());
				return untilProbe(Objects.requireNonNull(queue.dependency(), "there is an outage of it"), delivery);
			}
			if (decision instanceof Decision.Retry || decision instanceof Decision.Park) {
				queue.signals()
					.failed(() -> FailureFingerprint.of(cause, policy.messageType()),
							delivery.received().properties().getHeaders());
			}
			Rejection.warnWithoutTarget(policy, what.instruction());
			return decision;
		}
		catch (RuntimeException ex) {
			BestEffortLog.error(logger, "What to do about a failure of '%s' could not be decided, and it is parked"
				.formatted(policy.messageType()), ex);
			return UNKNOWN;
		}
	}

	/**
	 * Tells the circuit of a failure, and whether an outage is to blame where the message
	 * would pay for it with an attempt, or its last. What somebody asked for is done.
	 */
	private static boolean caughtInOutage(@Nullable CircuitCall call, FailureClassification what, Decision decision) {
		if (call == null || !call.failed(what.reason()) || what.instruction() != null) {
			return false;
		}
		return decision instanceof Decision.Retry
				|| (decision instanceof Decision.Park park && !park.reason().equals(what.reason()));
	}

	/** As if the message had failed later first, by the outages since then. */
	private static DeliveryHistory withoutOutages(ManagedQueue queue, Delivery delivery) {
		DeliveryHistory history = delivery.history();
		Instant first = history.firstFailureAt();
		OutageSettings outage = queue.policy().outage();
		if (first == null || outage == null || !outage.excludeFromAge() || queue.dependency() == null) {
			return history;
		}
		return history.firstFailedAt(first.plus(queue.dependency().circuit().outagesBetween(first, delivery.now())));
	}

	private void tell(MessagePolicy policy, ClassificationResult result) {
		this.classification.count(result);
		for (ClassificationStep shadow : result.shadows()) {
			FailureClassification would = Objects.requireNonNull(shadow.classification(), "every shadow has one");
			this.events.shadowMatched(policy.messageType(), would.reason(), would.failureClass());
		}
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

	private Delivery delivery(ManagedQueue queue, ReceivedMessage received, Acknowledgement acknowledgement,
			DeliveryContext context, @Nullable Throwable failure) {
		Instant now = this.clock.instant();
		DeliveryHistory history = context.history();
		if (!history.ignored().isEmpty()) {
			ignoredHeaders.warn(() -> "A message of '%s' has headers that can't be believed and are ignored: %s"
				.formatted(queue.policy().messageType(), history.ignored()));
		}
		if (history.retried()) {
			ClockSkewWarning.check(received.headers(), now);
		}
		return new Delivery(queue.policy(), queue.publisher(), received, acknowledgement, history, failure, now);
	}

	private static boolean cameBack(@Nullable Map<String, Object> headers) {
		return headers != null && !headers.isEmpty()
				&& (headers.containsKey(AppHeaders.RETRY_ATTEMPT) || headers.containsKey(AppHeaders.RETRY_NOT_BEFORE));
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
