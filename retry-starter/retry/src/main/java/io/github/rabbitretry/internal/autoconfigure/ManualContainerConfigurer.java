/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.rabbitretry.internal.listener.ManualContainers;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.config.ListenerContainerFactoryBean;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Finds the containers that the application made itself. They are covered when all
 * singletons are there, since some get their queues and listeners from other beans; what
 * is made later, at once.
 */
final class ManualContainerConfigurer implements BeanPostProcessor, SmartInitializingSingleton {

	private final ObjectProvider<ManualContainers> containers;

	private @Nullable Map<AbstractMessageListenerContainer, String> waiting = new LinkedHashMap<>();

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
		this.containers.getObject().cover(container, beanName);
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
