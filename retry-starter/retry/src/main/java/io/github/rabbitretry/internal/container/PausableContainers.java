/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.outage.Dependency;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListenerContainer;

/**
 * The containers that are paused in outages, and what stops and starts of the application
 * mean for them.
 */
public final class PausableContainers {

	private final List<PausableContainer> containers = new CopyOnWriteArrayList<>();

	/**
	 * Finds the service that a container is paused for: as a whole, so for all its
	 * queues.
	 * @param queues what it listens to
	 * @param listener how to name its listener in errors
	 * @return the service, or {@code null} if it is never paused
	 * @throws UnsupportedListenerException if its queues differ
	 */
	public static @Nullable Dependency dependency(Map<String, ManagedQueue> queues, String listener) {
		Set<Optional<Dependency>> dependencies = queues.values()
			.stream()
			.map((queue) -> Optional.ofNullable(queue.dependency()))
			.collect(Collectors.toSet());
		if (dependencies.size() > 1) {
			throw new UnsupportedListenerException(listener, String.join("', '", queues.keySet()),
					"its policies differ in outage.enabled or outage.dependency, and an outage pauses all of its queues",
					"Give its policies one outage.dependency, or turn outage.enabled off for all of them, or let each queue have a listener of its own.");
		}
		return dependencies.iterator().next().orElse(null);
	}

	public void add(ManagedContainer container, Dependency dependency) {
		PausableContainer pausable = new PausableContainer(container, dependency);
		this.containers.add(pausable);
		dependency.add(pausable);
	}

	/**
	 * To be called before the application stops containers.
	 * @param stopped which
	 */
	public void applicationStops(Predicate<MessageListenerContainer> stopped) {
		of(stopped).forEach(PausableContainer::applicationStops);
	}

	/**
	 * To be called before the application starts containers.
	 * @param started which
	 */
	public void applicationStarts(Predicate<MessageListenerContainer> started) {
		of(started).forEach(PausableContainer::applicationStarts);
	}

	/**
	 * Waits, bounded, for pauses that have begun.
	 * @param stopped of which containers
	 */
	public void await(Predicate<MessageListenerContainer> stopped) {
		long begun = System.nanoTime();
		of(stopped).forEach((container) -> container.awaitPause(begun));
	}

	/**
	 * To be called when the application has stopped containers, and may start them again.
	 * @param stopped which
	 */
	public void applicationStopped(Predicate<MessageListenerContainer> stopped) {
		of(stopped).forEach(PausableContainer::applicationStopped);
	}

	/**
	 * Whether a container is paused in an outage, and resumes after it.
	 * @param container the container
	 * @return {@code false} if it runs, or was stopped by other code
	 */
	public boolean paused(MessageListenerContainer container) {
		return of((any) -> any == container).anyMatch(PausableContainer::paused);
	}

	private Stream<PausableContainer> of(Predicate<MessageListenerContainer> stopped) {
		return this.containers.stream().filter((pausable) -> stopped.test(pausable.container()));
	}

}
