/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.FormerQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.event.AmqpEvent;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.ConsumeOkEvent;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reports the containers of policies' queues that Spring AMQP has stopped for good, and
 * starts them again: a simple container does not try again after an authentication
 * failure, nor after its queue could not be declared passively for a while.
 */
public final class StoppedContainers
		implements ApplicationListener<AmqpEvent>, ApplicationContextAware, HealthSource, AutoCloseable {

	private static final Duration PAUSE = Duration.ofSeconds(5);

	private static final Log logger = LogFactory.getLog(StoppedContainers.class);

	private final Set<String> queues;

	private final Map<AbstractMessageListenerContainer, String> stopped = new ConcurrentHashMap<>();

	/** Those that a thread starts again. */
	private final Set<AbstractMessageListenerContainer> startedAgain = ConcurrentHashMap.newKeySet();

	private final Predicate<AbstractMessageListenerContainer> running;

	private final Duration pause;

	private final CountDownLatch closed = new CountDownLatch(1);

	private @Nullable ApplicationContext context;

	/**
	 * Creates the report.
	 * @param policies whose queues it is about
	 */
	public StoppedContainers(MessagePolicies policies) {
		this(policies, PAUSE, AbstractMessageListenerContainer::isRunning);
	}

	StoppedContainers(MessagePolicies policies, Duration pause, Predicate<AbstractMessageListenerContainer> running) {
		this.pause = pause;
		this.running = running;
		this.queues = policies.all()
			.stream()
			.flatMap((policy) -> Stream.concat(
					Stream.of(policy.queue(), policy.topology().deadLetterQueue(), policy.topology().quarantine()),
					policy.topology().formerQueues().stream().map(FormerQueue::queue)))
			.collect(Collectors.toSet());
	}

	@Override
	public void setApplicationContext(ApplicationContext applicationContext) {
		this.context = applicationContext;
	}

	@Override
	public void onApplicationEvent(AmqpEvent event) {
		if (event instanceof ListenerContainerConsumerFailedEvent failed) {
			failed(failed);
		}
		else if (event instanceof ConsumeOkEvent consumed) {
			// of several that consume the queue, others may be stopped still
			this.stopped.keySet()
				.removeIf((container) -> Arrays.asList(container.getQueueNames()).contains(consumed.getQueue())
						&& this.running.test(container));
		}
	}

	private void failed(ListenerContainerConsumerFailedEvent event) {
		if (event.getSource() instanceof AbstractMessageListenerContainer container && forGood(event, container)
				&& Arrays.stream(container.getQueueNames()).anyMatch(this.queues::contains)) {
			Throwable failure = event.getThrowable();
			String why = event.getReason() + ((failure != null) ? ": " + BrokerText.of(failure) : "");
			// one that is being stopped interrupts consumers that don't end in time
			boolean interrupted = failure != null && CauseChain.find(failure, InterruptedException.class).isPresent();
			boolean first = this.stopped.put(container, why) == null;
			if (first) {
				logger.error("The container of %s was stopped (%s). %s".formatted(
						Arrays.toString(container.getQueueNames()), why,
						interrupted ? "Start it again"
								: "Fix the cause: it is started again every %s seconds until it consumes"
									.formatted(this.pause.toSeconds())));
			}
			if (!interrupted && this.startedAgain.add(container)) {
				DaemonThreads.start("rabbit-retry-stopped-container", () -> startAgain(container));
			}
		}
	}

	private void startAgain(AbstractMessageListenerContainer container) {
		try {
			while (!this.closed.await(this.pause.toMillis(), TimeUnit.MILLISECONDS) && !ends()
					&& this.stopped.containsKey(container)) {
				if (!this.running.test(container)) {
					start(container);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.startedAgain.remove(container);
		}
	}

	private static void start(AbstractMessageListenerContainer container) {
		try {
			ContainerStart.startOrStop(container, () -> true);
		}
		catch (RuntimeException ex) {
			logger.debug("A container can't be started yet", ex);
		}
	}

	private boolean forGood(ListenerContainerConsumerFailedEvent event, AbstractMessageListenerContainer container) {
		// a direct container says so of a closed channel too, and consumes again by
		// itself
		boolean closed = event.getThrowable() == null && container instanceof DirectMessageListenerContainer;
		// an application that ends interrupts consumers that don't end in time
		return event.isFatal() && !closed && !ends();
	}

	private boolean ends() {
		return this.context instanceof ConfigurableApplicationContext application && application.isClosed();
	}

	@Override
	public List<HealthProblem> problems() {
		return this.stopped.entrySet()
			.stream()
			.map((entry) -> new HealthProblem("listener-stopped", String.join(", ", entry.getKey().getQueueNames()),
					entry.getValue()))
			.toList();
	}

	@Override
	public void close() {
		this.closed.countDown();
	}

}
