/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.policy.MessagePolicy;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * The containers that were taken over, and who handles what.
 */
public final class ManagedContainers {

	private final List<ManagedContainer> containers = new CopyOnWriteArrayList<>();

	private final Set<String> unmanagedQueues = new CopyOnWriteArraySet<>();

	public void add(ManagedContainer container) {
		this.containers.add(container);
	}

	public void addUnmanaged(String... queues) {
		this.unmanagedQueues.addAll(List.of(queues));
	}

	/**
	 * The queues of listeners without a policy.
	 * @return their names
	 */
	public Set<String> unmanagedQueues() {
		return this.unmanagedQueues;
	}

	/**
	 * Holds new deliveries of all containers back, or lets them pass again.
	 * @param held whether they wait, until their container stops at the latest
	 */
	public void hold(boolean held) {
		this.containers.forEach((container) -> container.gate().hold(held));
	}

	/**
	 * Gives back what is held of containers that are about to be stopped, where no thread
	 * of theirs will.
	 * @param stopped which are stopped, and those beside them
	 */
	public void giveBackIdle(Predicate<MessageListenerContainer> stopped) {
		this.containers.stream()
			.filter((container) -> container.stopsWith(stopped))
			.forEach((container) -> container.gate().giveBackIdle());
	}

	/**
	 * To be called before a container is stopped while the application goes on: waits,
	 * bounded, for its copies on their way.
	 * @param container the container
	 */
	public void awaitHandovers(MessageListenerContainer container) {
		find(container).ifPresent((managed) -> managed.gate().awaitHandovers());
	}

	/**
	 * To be called when the broker cancelled a consumer.
	 * @param consumerTag the consumer's tag
	 */
	public void brokerCancelled(String consumerTag) {
		this.containers.forEach((container) -> container.brokerCancelled(consumerTag));
	}

	/**
	 * Whether any container was taken over for a policy.
	 * @param policy the policy
	 * @return {@code false} if its queue has no listener
	 */
	public boolean handles(MessagePolicy policy) {
		return consumes(policy.queue());
	}

	/**
	 * Whether any container was taken over for a policy's quarantine queue.
	 * @param policy the policy
	 * @return {@code false} if its quarantine queue has no listener here
	 */
	public boolean quarantines(MessagePolicy policy) {
		return consumes(policy.topology().quarantine());
	}

	/**
	 * Whether a queue is consumed.
	 * @param queue its name
	 * @return {@code false} if no container was taken over that consumes it
	 */
	public boolean consumes(String queue) {
		return consumersOf(queue).findAny().isPresent();
	}

	/**
	 * Whether a listener takes a policy's messages as lists.
	 * @param policy the policy
	 * @return {@code false} if all take single messages
	 */
	public boolean handlesBatches(MessagePolicy policy) {
		return consumersOf(policy.queue()).anyMatch((container) -> container.settings().listensToBatches());
	}

	/**
	 * The connection factories that a policy's queue is listened to through.
	 * @param policy the policy
	 * @return empty if its queue has no listener
	 */
	public Set<ConnectionFactory> connectionFactories(MessagePolicy policy) {
		return consumersOf(policy.queue()).map(ManagedContainer::connectionFactory)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private Stream<ManagedContainer> consumersOf(String queue) {
		return this.containers.stream().filter((container) -> container.queues().containsKey(queue));
	}

	/**
	 * Whether a container was taken over.
	 * @param container the container
	 * @return {@code false} if its queues have no policies
	 */
	public boolean contains(MessageListenerContainer container) {
		return find(container).isPresent();
	}

	/**
	 * The name of a container's listener.
	 * @param container a container that was taken over
	 * @return how errors name it
	 */
	public String listener(MessageListenerContainer container) {
		return find(container).orElseThrow().listener();
	}

	/**
	 * The connection factory that a container was configured with.
	 * @param container a container that was taken over
	 * @return its connection factory
	 */
	public ConnectionFactory connectionFactory(MessageListenerContainer container) {
		return find(container).orElseThrow().connectionFactory();
	}

	private Optional<ManagedContainer> find(MessageListenerContainer container) {
		return this.containers.stream().filter((managed) -> managed.container() == container).findFirst();
	}

}
