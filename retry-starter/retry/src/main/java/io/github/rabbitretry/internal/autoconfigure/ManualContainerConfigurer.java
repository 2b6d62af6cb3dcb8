/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.listener.ManualContainers;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.config.ListenerContainerFactoryBean;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AsyncConsumerStartedEvent;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationListener;

/**
 * Finds the containers that the application made itself. They are covered when all
 * singletons are there, since some get their queues and listeners from other beans; what
 * is made later, at once, or when a later bean has given it its listener.
 */
final class ManualContainerConfigurer
		implements BeanPostProcessor, SmartInitializingSingleton, ApplicationListener<AsyncConsumerStartedEvent> {

	private static final Log logger = LogFactory.getLog(ManualContainerConfigurer.class);

	private final ObjectProvider<ManualContainers> containers;

	private @Nullable Map<AbstractMessageListenerContainer, String> waiting = new LinkedHashMap<>();

	private final Map<AbstractMessageListenerContainer, String> withoutListener = new LinkedHashMap<>();

	/** Why those are refused that are. Each is stopped whenever it is started. */
	private final Map<Object, String> refused = new WeakHashMap<>();

	ManualContainerConfigurer(ObjectProvider<ManualContainers> containers) {
		this.containers = containers;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AbstractMessageListenerContainer container) {
			found(container, beanName);
		}
		else if (bean instanceof ListenerContainerFactoryBean factory && factory.isSingleton()) {
			found(factory, beanName);
		}
		coverLate();
		return bean;
	}

	private void found(ListenerContainerFactoryBean factory, String beanName) {
		try {
			found(factory.getObject(), beanName);
		}
		catch (Exception ex) {
			throw new IllegalStateException("The container of '%s' can't be made".formatted(beanName), ex);
		}
	}

	private synchronized void found(@Nullable AbstractMessageListenerContainer container, String beanName) {
		if (container == null) {
			return;
		}
		if (this.waiting != null) {
			this.waiting.put(container, beanName);
			return;
		}
		if (container.getMessageListener() == null) {
			this.withoutListener.put(container, beanName);
			return;
		}
		this.containers.getObject().cover(container, beanName);
	}

	private synchronized void coverLate() {
		List<AbstractMessageListenerContainer> complete = this.withoutListener.keySet()
			.stream()
			.filter((container) -> container.getMessageListener() != null)
			.toList();
		for (AbstractMessageListenerContainer container : complete) {
			try {
				this.containers.getObject().cover(container, this.withoutListener.remove(container));
			}
			catch (UnsupportedListenerException ex) {
				this.refused.put(container, ex.getMessage());
				stop(container, ex.getMessage());
			}
		}
	}

	private static void stop(AbstractMessageListenerContainer container, String why) {
		logger.error("The container is stopped. " + why);
		DaemonThreads.start("rabbit-retry-refused", container::stop);
	}

	/** Its listener came from no bean, so that there was no time to cover it. */
	@Override
	public synchronized void onApplicationEvent(AsyncConsumerStartedEvent event) {
		String why = this.refused.get(event.getSource());
		if (why != null) {
			stop((AbstractMessageListenerContainer) event.getSource(), why);
		}
		coverLate();
	}

	@Override
	public synchronized void afterSingletonsInstantiated() {
		Map<AbstractMessageListenerContainer, String> found = this.waiting;
		this.waiting = null;
		if (found != null) {
			found.forEach((container, name) -> this.containers.getObject().cover(container, name));
		}
	}

}
