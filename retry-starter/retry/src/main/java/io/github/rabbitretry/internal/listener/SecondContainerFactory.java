/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.container.ConsumerWidth;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.aopalliance.aop.Advice;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Makes the containers of second queues: each handles messages as its listener's own
 * container does, but those in quarantine one at a time, whatever that one's concurrency
 * and prefetch.
 * <p>
 * These queues are empty, as a rule, so none has a thread: what such a container has to
 * do besides its messages, all of them do on a few threads that end when they are idle.
 */
final class SecondContainerFactory implements AutoCloseable {

	private static final int MOST_THREADS = 4;

	private static final long IDLE_SECONDS = 5;

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private final Map<ConnectionFactory, Executor> starters = new ConcurrentHashMap<>();

	SecondContainerFactory() {
		this.scheduler.setThreadNamePrefix("rabbit-retry-quarantine-monitor-");
		this.scheduler.setDaemon(true);
		this.scheduler.initialize();
	}

	/**
	 * Makes the container of a second queue.
	 * @param own a container of the listener
	 * @param settings its settings, before it was taken over
	 * @param listener its listener, before it was taken over
	 * @param connections lead to the broker, each time it is connected to
	 * @param queue the queue
	 * @return a container, not yet initialized
	 */
	SecondContainer container(AbstractMessageListenerContainer own, ContainerSettings settings,
			MessageListener listener, Supplier<ConnectionFactory> connections, SecondQueue queue) {
		SecondContainer container = new SecondContainer(queue, connections);
		ConfigurablePropertyAccessor from = PropertyAccessorFactory.forDirectFieldAccess(own);
		if (from.getPropertyValue("applicationContext") instanceof ApplicationContext context) {
			container.setApplicationContext(context);
		}
		if (from.getPropertyValue("applicationEventPublisher") instanceof ApplicationEventPublisher publisher) {
			container.setApplicationEventPublisher(publisher);
		}
		if (from.getPropertyValue("observationEnabled") instanceof Boolean enabled) {
			container.setObservationEnabled(enabled);
		}
		container.setListenerId(own.getListenerId() + (queue.former() ? ".former." + queue.name() : ".quarantine"));
		container.setMessageListener(listener);
		container.setErrorHandler(own.getErrorHandler());
		container.setAdviceChain(settings.advices().toArray(Advice[]::new));
		container.setAfterReceivePostProcessors(settings.postProcessors().toArray(MessagePostProcessor[]::new));
		container.setMessagePropertiesConverter(settings.propertiesConverter());
		container.setDeBatchingEnabled(settings.batchingStrategy() != null);
		if (settings.batchingStrategy() != null) {
			container.setBatchingStrategy(settings.batchingStrategy());
		}
		container.setShutdownTimeout(settings.shutdownTimeout().toMillis());
		container.setQueueNames(queue.name());
		ConsumerWidth width = ConsumerWidth.of(own);
		container.setConsumersPerQueue(queue.quarantine() ? 1 : width.consumers());
		container.setPrefetchCount(queue.quarantine() ? 1 : width.prefetch());
		container.setTaskExecutor(this.starters.computeIfAbsent(connections.get(), (broker) -> starter()));
		container.setTaskScheduler(this.scheduler);
		// it is started later, beside a container that has checked what there is to check
		container.setMissingQueuesFatal(false);
		container.setMismatchedQueuesFatal(false);
		return container;
	}

	/**
	 * Starting a container keeps its thread until the broker can be reached, so
	 * containers of another broker have threads of their own.
	 */
	private static Executor starter() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), DaemonThreads.numbered("rabbit-retry-quarantine-start-"));
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	@Override
	public void close() {
		this.scheduler.shutdown();
	}

}
