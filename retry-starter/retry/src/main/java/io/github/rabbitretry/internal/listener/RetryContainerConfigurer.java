/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.RetryRatioLimiter;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.RetryHeaders;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.poison.PoisonSignals;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RetryRatio;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Takes the containers of policies' queues over, before they are started, and leaves all
 * others alone.
 * <p>
 * A managed container acknowledges nothing by itself: in automatic mode it would settle
 * several deliveries at once, among them originals whose copies are still on their way.
 */
public final class RetryContainerConfigurer implements AutoCloseable, HealthSource {

	private final MessagePolicies policies;

	private final ConsumerConnections connections;

	private final ConfirmedPublishers publishers;

	private final ClassificationChain classification;

	private final Decider decider;

	private final DecisionExecutor executor;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final Deduplicators deduplicators;

	private final PoisonSignals signals;

	private final Dependencies dependencies;

	private final InstantSource clock;

	private final Map<String, RetryRatioLimiter> ratioLimiters = new ConcurrentHashMap<>();

	private final StopWatcher stops = new StopWatcher();

	private final HandlerTimeouts timeouts = new HandlerTimeouts();

	private final QuarantineContainerFactory quarantines = new QuarantineContainerFactory();

	private final OrderedQueues orderedQueues = new OrderedQueues();

	private final ManagedContainers containers;

	private final PausableContainers pauses = new PausableContainers();

	/**
	 * Creates the configurer.
	 * @param policies whose queues are managed
	 * @param containers where containers that were taken over are added
	 * @param connections gives the consumers of quarantine queues a connection apart from
	 * their listeners'
	 * @param publishers where copies go
	 * @param classification says what failures are
	 * @param decider says what to do about them
	 * @param retryHeaders writes the headers of retried messages
	 * @param parkingLot parks
	 * @param rejections writes the events of business rejections
	 * @param events the listener to notify
	 * @param observer the observer to notify
	 * @param deduplicators know which messages were handled
	 * @param signals watches for poison
	 * @param log says what is decided
	 * @param dependencies the services that handlers call
	 * @param clock what time it is
	 */
	public RetryContainerConfigurer(MessagePolicies policies, ManagedContainers containers,
			ConsumerConnections connections, ConfirmedPublishers publishers, ClassificationChain classification,
			Decider decider, RetryHeaders retryHeaders, ParkingLotPublisher parkingLot, RejectionEvents rejections,
			DeliveryListener events, AttemptObserver observer, Deduplicators deduplicators, PoisonSignals signals,
			FailureLog log, Dependencies dependencies, InstantSource clock) {
		this.policies = policies;
		this.containers = containers;
		this.connections = connections;
		this.publishers = publishers;
		this.classification = classification;
		this.decider = decider;
		this.executor = new DecisionExecutor(retryHeaders, parkingLot, new Rejection(rejections), events, observer, log,
				new RetryQueueRedelivery());
		this.events = events;
		this.observer = observer;
		this.deduplicators = deduplicators;
		this.signals = signals;
		this.dependencies = dependencies;
		this.clock = clock;
	}

	/**
	 * Takes a container over if it listens to a policy's queue.
	 * @param container a container, not yet started
	 * @param listener how to name its listener in errors
	 * @return the policies that need a second container of the same listener, for their
	 * quarantine queues
	 * @throws UnsupportedListenerException if a policy applies and can't be kept
	 */
	List<MessagePolicy> takeOver(MessageListenerContainer container, ListenerDescription listener) {
		if (!(container instanceof AbstractMessageListenerContainer messageContainer)) {
			return List.of();
		}
		Map<String, MessagePolicy> byQueue = policies(List.of(messageContainer.getQueueNames()));
		if (byQueue.isEmpty()) {
			return List.of();
		}
		ContainerSettings settings = ContainerSettings.of(messageContainer);
		new ManagedListenerCheck(messageContainer, settings, listener).check(byQueue);
		MissingPolicy.warn(listener.name(), messageContainer.getQueueNames(), byQueue.keySet());
		Map<String, ManagedQueue> queues = new LinkedHashMap<>();
		byQueue.forEach((queue, policy) -> queues.put(queue, managedQueue(policy, messageContainer)));
		Dependency dependency = PausableContainers.dependency(queues, listener);
		ManagedContainer managed = takeOver(messageContainer, settings, queues, null);
		if (dependency != null) {
			this.pauses.add(managed, dependency);
			this.stops.add(dependency::awake);
		}
		HandlerCallWatch.install(listener.handler());
		return queues.values().stream().map(ManagedQueue::policy).filter(MessagePolicy::quarantined).toList();
	}

	/**
	 * The policies of queues.
	 * @param queues names
	 * @return what is retried, by queue
	 */
	Map<String, MessagePolicy> policies(Collection<String> queues) {
		Map<String, MessagePolicy> byQueue = new LinkedHashMap<>();
		for (String queue : queues) {
			this.policies.ofQueue(queue).ifPresent((policy) -> byQueue.put(queue, policy));
		}
		return byQueue;
	}

	/**
	 * Makes the container of a quarantine queue.
	 * @param like a container of the policy's listener
	 * @param settings its settings, before it was taken over
	 * @param listener its listener, before it was taken over
	 * @param own the listener's own container, which the new one runs beside
	 * @param policy the policy
	 * @return the container, taken over and initialized
	 */
	AbstractMessageListenerContainer quarantine(AbstractMessageListenerContainer like, ContainerSettings settings,
			MessageListener listener, AbstractMessageListenerContainer own, MessagePolicy policy) {
		String queue = policy.topology().quarantine();
		AbstractMessageListenerContainer container = this.quarantines.container(like, settings, listener,
				this.connections.of(own.getConnectionFactory(), ConsumerConnections.DEAD_LETTERS), queue);
		takeOver(container, ContainerSettings.of(container),
				Map.of(queue, managedQueue(policy, own, null, CrashLoopDetector.inQuarantine())), own);
		container.afterPropertiesSet();
		return container;
	}

	private ManagedQueue managedQueue(MessagePolicy policy, AbstractMessageListenerContainer container) {
		return managedQueue(policy, container, ratioLimiter(policy), CrashLoopDetector.inWorkQueue(policy));
	}

	private ManagedQueue managedQueue(MessagePolicy policy, AbstractMessageListenerContainer container,
			@Nullable RetryRatioLimiter ratioLimiter, CrashLoopDetector crashLoopDetector) {
		return new ManagedQueue(policy, new LocalRetry(policy.localAttempts(), policy.localDelay()),
				this.publishers.publisher(container.getConnectionFactory(), policy.messageType()), ratioLimiter,
				this.signals.of(policy.messageType()), this.timeouts.of(policy), crashLoopDetector,
				this.deduplicators.of(policy), this.dependencies.of(policy));
	}

	/** One for all listeners of a message type. */
	private @Nullable RetryRatioLimiter ratioLimiter(MessagePolicy policy) {
		RetryRatio ratio = policy.ratio();
		return (ratio != null) ? this.ratioLimiters.computeIfAbsent(policy.messageType(),
				(type) -> new RetryRatioLimiter(ratio, System::nanoTime)) : null;
	}

	private ManagedContainer takeOver(AbstractMessageListenerContainer container, ContainerSettings settings,
			Map<String, ManagedQueue> queues, @Nullable AbstractMessageListenerContainer beside) {
		ContainerSettings bounded = settings.withShutdownTimeout(this.publishers.listenersTimeout());
		OrderedHandling ordered = this.orderedQueues.handling(queues.values(), container, this.publishers,
				bounded.patience(), this.observer.textHeaders());
		ManagedContainer managed = new ManagedContainer(container, (ordered != null) ? bounded.undivided() : bounded,
				queues, this.publishers, beside, ordered);
		new ContainerOverrides(bounded, this.observer.textHeaders()).apply(managed,
				new RetryAdvice(managed, this.classification, this.decider,
						(ordered != null) ? this.executor.with(new OrderedRedelivery(ordered)) : this.executor,
						this.events, this.observer, this.clock, ordered));
		// one that was initialized, and not started, is initialized anew by its start
		container.shutdown();
		this.connections.errors().watch(container);
		this.containers.add(managed);
		this.stops.add(managed::giveBackOverdue);
		return managed;
	}

	/**
	 * To be called before managed containers are stopped: holds new deliveries back and
	 * waits, bounded, for copies on their way.
	 * @param stopped which are stopped; others go on, or are paused until an outage ends
	 */
	void quiesce(Predicate<MessageListenerContainer> stopped) {
		this.pauses.applicationStops(stopped);
		this.orderedQueues.awaitBlocks();
		this.orderedQueues.end(stopped);
		this.containers.hold();
		this.pauses.await(stopped);
		// threads between two deliveries get to where they are held
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		this.publishers.awaitIdle();
	}

	/** How long anything may still be waited for during this stop. */
	Duration stopTime() {
		return Duration.ofNanos(Math.max(0, this.publishers.stopEnd() - System.nanoTime()));
	}

	/**
	 * Ends what {@link #quiesce} began.
	 * @param stopped which were stopped
	 */
	void resume(Predicate<MessageListenerContainer> stopped) {
		this.containers.resume();
		this.pauses.applicationStopped(stopped);
	}

	/**
	 * To be called when the application stops containers: those that are paused stay
	 * stopped.
	 * @param stopped which are stopped
	 */
	void stayStopped(Predicate<MessageListenerContainer> stopped) {
		this.pauses.applicationStops(stopped);
		this.orderedQueues.awaitBlocks();
		this.pauses.await(stopped);
		this.pauses.applicationStopped(stopped);
	}

	/**
	 * Whether a container is paused in an outage, and goes on after it.
	 * @param container the container
	 * @return {@code false} if it runs, or somebody stopped it
	 */
	boolean paused(MessageListenerContainer container) {
		return this.pauses.paused(container);
	}

	/** Whether a container was taken over. */
	boolean manages(MessageListenerContainer container) {
		return this.containers.contains(container);
	}

	/**
	 * Counts the calls of a handler that go on although its timeout has passed.
	 * @param messageType the policy's name
	 * @return how many there are
	 */
	public int overdueHandlers(String messageType) {
		return this.timeouts.overdue(messageType);
	}

	/**
	 * How many ordering keys of a message type have messages that this process handles or
	 * holds.
	 * @param messageType the policy's name
	 * @return the number
	 */
	public int orderedLanes(String messageType) {
		return this.orderedQueues.lanes(messageType);
	}

	/**
	 * Whether a listener is stopped at a message that would be parked, and keeps its
	 * place.
	 * @param messageType the policy's name
	 * @return {@code false} if its messages are handled
	 */
	public boolean orderBlocked(String messageType) {
		return this.orderedQueues.blocked(messageType);
	}

	@Override
	public List<HealthProblem> problems() {
		return Stream.of(this.timeouts.problems(), this.orderedQueues.problems()).flatMap(List::stream).toList();
	}

	/** Ends what watches the containers, which have stopped before. */
	@Override
	public void close() {
		this.pauses.applicationStops((any) -> true);
		this.dependencies.close();
		this.stops.close();
		this.timeouts.close();
		this.orderedQueues.close();
		this.quarantines.close();
	}

}
