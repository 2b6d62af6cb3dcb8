/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.config.RabbitListenerConfigUtils;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Puts our registry where Spring AMQP or the application has a plain one. A container
 * customizer or a message recoverer of ours would do with less, but switch off the
 * user's.
 */
final class RegistryReplacement implements BeanDefinitionRegistryPostProcessor {

	private static final String NAME = RabbitListenerConfigUtils.RABBIT_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME;

	private final Class<? extends RabbitListenerEndpointRegistry> ours;

	private final @Nullable String configurer;

	private final List<String> replaced = new ArrayList<>();

	/**
	 * Creates the replacement.
	 * @param ours our registry
	 * @param configurer the bean that our registry needs until its own end, or
	 * {@code null} if it needs none, and a registry of the user's own may stay
	 */
	RegistryReplacement(Class<? extends RabbitListenerEndpointRegistry> ours, @Nullable String configurer) {
		this.ours = ours;
		this.configurer = configurer;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		for (String name : ((ListableBeanFactory) registry).getBeanNamesForType(RabbitListenerEndpointRegistry.class,
				true, false)) {
			if (this.configurer != null || NAME.equals(name)) {
				replace(registry, name);
			}
		}
	}

	private void replace(BeanDefinitionRegistry registry, String name) {
		BeanDefinition present = registry.getBeanDefinition(name);
		Class<?> type = ((ListableBeanFactory) registry).getType(name, false);
		if (type == RabbitListenerEndpointRegistry.class
				&& (this.configurer != null || present.getFactoryMethodName() == null)) {
			RootBeanDefinition owning = new RootBeanDefinition(this.ours);
			owning.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			owning.setPrimary(present.isPrimary());
			registry.removeBeanDefinition(name);
			registry.registerBeanDefinition(name, owning);
		}
		else if (type != this.ours) {
			// ours if replaced when the application was processed ahead of time
			if (this.configurer == null) {
				return;
			}
			throw new IllegalStateException(
					"Bean '%s' (%s) is not Spring AMQP's own registry of listeners, so that Rabbit Retry can't see the listener containers. Let its bean method return a plain RabbitListenerEndpointRegistry, which is replaced, or remove that bean, or the message policies."
						.formatted(name, present));
		}
		this.replaced.add(name);
	}

	/** What our registry looks up late has to outlive it. */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.configurer != null) {
			this.replaced.forEach((name) -> beanFactory.registerDependentBean(this.configurer, name));
		}
	}

}
