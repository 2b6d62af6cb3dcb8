/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Fails the start of an application that was processed ahead of time without message
 * policies and is started with some. Its beans were chosen at build time, so nothing
 * would be retried.
 */
final class LatePolicyCheck implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Map<String, Object> policies = OnMessagePolicies.in(beanFactory.getBean(Environment.class));
		if (!policies.isEmpty()) {
			throw new InvalidConfigurationException(OnMessagePolicies.PROPERTY, policies.keySet(),
					"was not there when the application was processed ahead of time, so that nothing would be retried",
					"Run spring-boot:process-aot with the message policies, or start without spring.aot.enabled.");
		}
	}

}
