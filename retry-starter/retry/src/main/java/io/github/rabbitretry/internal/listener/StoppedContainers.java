/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.FormerQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reports the containers of policies' queues that Spring AMQP has stopped for good: after
 * an authentication failure, for one, a simple container does not try again.
 */
public final class StoppedContainers
		implements ApplicationListener<ListenerContainerConsumerFailedEvent>, ApplicationContextAware, HealthSource {

	private static final Log logger = LogFactory.getLog(StoppedContainers.class);

	private final Set<String> queues;

	private final Map<AbstractMessageListenerContainer, String> stopped = new ConcurrentHashMap<>();

	private @Nullable ApplicationContext context;

	/**
	 * Creates the report.
	 * @param policies whose queues it is about
	 */
	public StoppedContainers(MessagePolicies policies) {
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
	public void onApplicationEvent(ListenerContainerConsumerFailedEvent event) {
		if (event.getSource() instanceof AbstractMessageListenerContainer container && forGood(event, container)
				&& Arrays.stream(container.getQueueNames()).anyMatch(this.queues::contains)) {
			Throwable failure = event.getThrowable();
			String why = event.getReason() + ((failure != null) ? ": " + BrokerText.of(failure) : "");
			if (this.stopped.put(container, why) == null) {
				logger.error(
						("The container of %s was stopped and does not restart automatically (%s). Fix the cause and "
								+ "restart the application")
							.formatted(Arrays.toString(container.getQueueNames()), why));
			}
		}
	}

	private boolean forGood(ListenerContainerConsumerFailedEvent event, AbstractMessageListenerContainer container) {
		// a direct container says so of a closed channel too, and consumes again by
		// itself
		boolean closed = event.getThrowable() == null && container instanceof DirectMessageListenerContainer;
		// an application that ends interrupts consumers that don't end in time
		boolean ends = this.context instanceof ConfigurableApplicationContext application && application.isClosed();
		return event.isFatal() && !closed && !ends;
	}

	@Override
	public List<HealthProblem> problems() {
		this.stopped.keySet().removeIf(AbstractMessageListenerContainer::isRunning);
		return this.stopped.entrySet()
			.stream()
			.map((entry) -> new HealthProblem("listener-stopped", String.join(", ", entry.getKey().getQueueNames()),
					entry.getValue()))
			.toList();
	}

}
