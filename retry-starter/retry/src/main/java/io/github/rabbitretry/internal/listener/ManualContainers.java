/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.invocation.ContainerSettings;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The containers that the application made itself, which are beans and in no registry.
 * Those of policies' queues are taken over like those of listener methods.
 */
public final class ManualContainers implements SmartLifecycle, DisposableBean, ApplicationListener<ContextClosedEvent> {

	private final RetryContainerConfigurer configurer;

	private final ApplicationContext context;

	private final SecondContainers seconds;

	private final Set<AbstractMessageListenerContainer> seen = Collections.newSetFromMap(new WeakHashMap<>());

	private volatile boolean covers;

	private volatile boolean running;

	/**
	 * Creates it for the containers of an application.
	 * @param configurer takes containers over
	 * @param context the application context of the containers
	 */
	public ManualContainers(RetryContainerConfigurer configurer, ApplicationContext context) {
		this.configurer = configurer;
		this.seconds = configurer.seconds();
		this.context = context;
	}

	/**
	 * Takes a container over if it listens to a policy's queue.
	 * @param container the container, fully configured
	 * @param beanName its bean
	 * @throws UnsupportedListenerException if a policy applies and can't be kept
	 */
	public synchronized void cover(AbstractMessageListenerContainer container, String beanName) {
		if (!this.seen.add(container)) {
			return;
		}
		if (ScopedProxyUtils.isScopedTarget(beanName) || container instanceof ScopedObject) {
			refuseScoped(container, beanName);
		}
		ContainerSettings settings = ContainerSettings.of(container);
		List<SecondQueue> queues = this.configurer.takeOver(container,
				ListenerDescription.of("container bean " + beanName, container.getMessageListener()));
		if (!this.configurer.manages(container)) {
			return;
		}
		this.covers = true;
		MessageListener listener = container.getMessageListener();
		if (listener == null) {
			return;
		}
		for (SecondQueue queue : queues) {
			this.seconds.add(container, this.configurer.second(container, settings, listener, container, queue), queue);
		}
	}

	/** Each would be made anew, while others still know the one before. */
	private void refuseScoped(AbstractMessageListenerContainer container, String beanName) {
		Set<String> queues = this.configurer.policies(List.of(container.getQueueNames())).keySet();
		if (!queues.isEmpty()) {
			throw new UnsupportedListenerException("container bean " + beanName, String.join("', '", queues),
					"it is in a scope, which creates it again after it was taken over",
					"Make the container a singleton and put the scope on the bean that its listener calls, or remove the queue's message policy.");
		}
	}

	/**
	 * Before any container is stopped: the registry of listeners, which does so for its
	 * own, has nothing to stop in an application that has only these.
	 */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (this.covers && event.getApplicationContext() == this.context) {
			this.configurer.quiesce((container) -> true);
		}
	}

	@Override
	public void start() {
		this.configurer.starts(this::isSeen);
		this.seconds.start();
		this.running = true;
	}

	/** Together with the containers, which are in the last phase too. */
	@Override
	public void stop() {
		stopping().join();
	}

	@Override
	public void stop(Runnable callback) {
		stopping().thenRun(callback);
	}

	private CompletableFuture<Void> stopping() {
		this.running = false;
		this.configurer.stayStopped(this::isSeen);
		return this.seconds.hold(this.configurer.stopTime());
	}

	private synchronized boolean isSeen(MessageListenerContainer container) {
		return this.seen.contains(container);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void destroy() {
		this.seconds.destroy(this.configurer.stopTime());
	}

}
