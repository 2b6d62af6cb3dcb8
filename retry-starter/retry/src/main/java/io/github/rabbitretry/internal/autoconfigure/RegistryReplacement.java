/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import org.springframework.amqp.rabbit.config.RabbitListenerConfigUtils;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Puts our registry where Spring AMQP has its own. A container customizer or a message
 * recoverer of ours would do with less, but switch off the user's.
 */
final class RegistryReplacement implements BeanDefinitionRegistryPostProcessor {

	private static final String NAME = RabbitListenerConfigUtils.RABBIT_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME;

	private final Class<? extends RabbitListenerEndpointRegistry> ours;

	private final boolean needed;

	/**
	 * Creates the replacement.
	 * @param ours our registry
	 * @param needed whether nothing can be done for a registry of the user's own
	 */
	RegistryReplacement(Class<? extends RabbitListenerEndpointRegistry> ours, boolean needed) {
		this.ours = ours;
		this.needed = needed;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (!registry.containsBeanDefinition(NAME)) {
			return;
		}
		BeanDefinition present = registry.getBeanDefinition(NAME);
		if (this.ours.getName().equals(present.getBeanClassName())) {
			// replaced when the application was processed ahead of time
			return;
		}
		if (!RabbitListenerEndpointRegistry.class.getName().equals(present.getBeanClassName())) {
			if (!this.needed) {
				return;
			}
			throw new IllegalStateException(
					"Bean '%s' (%s) is not Spring AMQP's own, so that Rabbit Retry can't see the listener containers. Remove that bean, or the message policies."
						.formatted(NAME, present));
		}
		RootBeanDefinition owning = new RootBeanDefinition(this.ours);
		owning.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		registry.removeBeanDefinition(NAME);
		registry.registerBeanDefinition(NAME, owning);
	}

}
