/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.container.ContainerOverrides;
import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.pipeline.DeliveryDecider;
import io.github.rabbitretry.internal.container.PausableContainers;
import io.github.rabbitretry.internal.pipeline.MissingPolicy;
import io.github.rabbitretry.internal.pipeline.RetryAdvice;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.ordering.OrderedHandling;
import io.github.rabbitretry.internal.ordering.OrderedQueues;
import io.github.rabbitretry.internal.ordering.OrderedRedelivery;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.pipeline.DecisionExecutor;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
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

	private final ManagedContainers containers;

	private final ConsumerConnections connections;

	private final ManagedQueues queues;

	private final DeliveryDecider decider;

	private final DecisionExecutor executor;

	private final ConfirmedPublishers publishers;

	private final Watchdog watchdog;

	private final SecondContainerFactory seconds = new SecondContainerFactory();

	private final ListenersWithoutPolicy withoutPolicy = new ListenersWithoutPolicy();

	private final OrderedQueues orderedQueues = new OrderedQueues();

	private final PausableContainers pauses = new PausableContainers();

	/**
	 * Creates the configurer.
	 * @param policies whose queues are managed
	 * @param containers where containers that were taken over are added
	 * @param connections gives the consumers of quarantine queues a connection of theirs
	 * @param queues gives each queue what its policy asks for
	 * @param decider decides about deliveries
	 * @param executor executes the decisions
	 * @param watchdog monitors the containers
	 */
	public RetryContainerConfigurer(MessagePolicies policies, ManagedContainers containers,
			ConsumerConnections connections, ManagedQueues queues, DeliveryDecider decider, DecisionExecutor executor,
			Watchdog watchdog) {
		this.policies = policies;
		this.containers = containers;
		this.connections = connections;
		this.queues = queues;
		this.decider = decider;
		this.executor = executor;
		this.publishers = queues.publishers();
		this.watchdog = watchdog;
	}

	/**
	 * Takes a container over if it listens to a policy's queue.
	 * @param container a container, not yet started
	 * @param listener how to name its listener in errors
	 * @return the queues that need a second container of the same listener
	 * @throws UnsupportedListenerException if a policy applies and can't be kept
	 */
	List<SecondQueue> takeOver(MessageListenerContainer container, ListenerDescription listener) {
		if (!(container instanceof AbstractMessageListenerContainer messageContainer)) {
			return List.of();
		}
		Map<String, MessagePolicy> byQueue = policies(List.of(messageContainer.getQueueNames()));
		if (byQueue.isEmpty()) {
			this.containers.addUnmanaged(messageContainer.getQueueNames());
			this.withoutPolicy.add(listener.name(), messageContainer);
			return List.of();
		}
		ContainerSettings settings = ContainerSettings.of(messageContainer);
		new ManagedListenerCheck(messageContainer, settings, listener).check(byQueue);
		MissingPolicy.warn(listener.name(), messageContainer.getQueueNames(), byQueue.keySet());
		Map<String, ManagedQueue> queues = new LinkedHashMap<>();
		byQueue.forEach((queue, policy) -> queues.put(queue,
				this.queues.workQueue(policy, messageContainer.getConnectionFactory())));
		Dependency dependency = PausableContainers.dependency(queues, listener.name());
		ManagedContainer managed = takeOver(listener.name(), messageContainer, settings, queues, null);
		if (dependency != null) {
			this.pauses.add(managed, dependency);
			this.watchdog.monitor(dependency::awake);
		}
		List<String> own = List.of(messageContainer.getQueueNames());
		return queues.values()
			.stream()
			.map(ManagedQueue::policy)
			.distinct()
			.flatMap((policy) -> SecondQueue.of(policy, own).stream())
			.toList();
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
	 * Makes the container of a second queue.
	 * @param like a container of the policy's listener
	 * @param settings its settings, before it was taken over
	 * @param listener its listener, before it was taken over
	 * @param own the listener's own container, which the new one runs beside
	 * @param queue the queue
	 * @return the container, taken over and initialized
	 */
	SecondContainer second(AbstractMessageListenerContainer like, ContainerSettings settings, MessageListener listener,
			AbstractMessageListenerContainer own, SecondQueue queue) {
		MessagePolicy policy = queue.policy();
		ConnectionFactory connections = this.containers.connectionFactory(own);
		SecondContainer container = this.seconds.container(like, settings, listener,
				() -> queue.quarantine() ? this.connections.ofQuarantine(connections) : connections, queue);
		takeOver(this.containers.listener(own), container, ContainerSettings.of(container),
				Map.of(queue.name(), queue.quarantine() ? this.queues.quarantine(policy, connections)
						: this.queues.workQueue(policy, connections)),
				own);
		container.afterPropertiesSet();
		return container;
	}

	private ManagedContainer takeOver(String listener, AbstractMessageListenerContainer container,
			ContainerSettings settings, Map<String, ManagedQueue> queues,
			@Nullable AbstractMessageListenerContainer beside) {
		ContainerSettings bounded = settings.withShutdownTimeout(this.publishers.stopDeadline().ofListeners());
		OrderedHandling ordered = this.orderedQueues.handling(queues.values(), container, this.publishers,
				bounded.patience(), this.executor.observer().textHeaders());
		ManagedContainer managed = new ManagedContainer(listener, container,
				(ordered != null) ? bounded.undivided() : bounded, queues, this.publishers, beside,
				(ordered != null) ? ordered::giveBack : null);
		DecisionExecutor executor = (ordered != null)
				? this.executor.with(new OrderedRedelivery(ordered, managed, this.executor.observer())) : this.executor;
		new ContainerOverrides(bounded, this.executor.observer().textHeaders()).apply(managed,
				new RetryAdvice(managed, this.decider, executor));
		// one that was initialized, and not started, is initialized anew by its start
		container.shutdown();
		FatalErrors.watch(container);
		this.containers.add(managed);
		if (ordered != null) {
			this.watchdog.monitor(ordered::closeOverdue);
		}
		else {
			this.watchdog.monitor("rabbit-retry-give-back", managed.gate()::overdue, managed.gate()::giveBackOverdue);
		}
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
		this.containers.hold(true);
		this.pauses.await(stopped);
		// threads between two deliveries get to where they are held
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		if (!this.publishers.awaitIdle()) {
			this.containers.giveBackIdle(stopped);
		}
	}

	/** How long anything may still be waited for during this stop. */
	Duration stopTime() {
		return Duration.ofNanos(Math.max(0, this.publishers.stopDeadline().ofConnections() - System.nanoTime()));
	}

	/**
	 * Ends what {@link #quiesce} began.
	 * @param stopped which were stopped
	 */
	void resume(Predicate<MessageListenerContainer> stopped) {
		this.containers.hold(false);
		this.pauses.applicationStopped(stopped);
	}

	/**
	 * To be called before the application starts containers.
	 * @param started which
	 */
	void starts(Predicate<MessageListenerContainer> started) {
		this.pauses.applicationStarts(started);
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
	 * Whether a container is paused in an outage, and resumes after it.
	 * @param container the container
	 * @return {@code false} if it runs, or was stopped by other code
	 */
	boolean paused(MessageListenerContainer container) {
		return this.pauses.paused(container);
	}

	/** What to add where a container's retry is refused. */
	String losingTheirRetry() {
		return this.withoutPolicy.losingTheirRetry();
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
		return this.queues.timeouts().overdue(messageType);
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
		return Stream.of(this.queues.timeouts().problems(), this.orderedQueues.problems())
			.flatMap(List::stream)
			.toList();
	}

	/** The containers of second queues, none yet. */
	SecondContainers seconds() {
		return new SecondContainers(this.watchdog, this.orderedQueues::holds, this.orderedQueues::blocked,
				this.containers::awaitHandovers);
	}

	/** Ends what monitors the containers, which have stopped before. */
	@Override
	public void close() {
		this.pauses.applicationStops((any) -> true);
		this.queues.close();
		this.orderedQueues.close();
		this.seconds.close();
	}

}
