/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import io.github.rabbitretry.handler.RetryContext;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/**
 * Spring AMQP's registry, which lets listener methods have a {@link RetryContext}
 * argument: of whatever policy covers them, or of none.
 */
public class ContextProvidingRegistry extends RabbitListenerEndpointRegistry {

	@Override
	protected MessageListenerContainer createListenerContainer(RabbitListenerEndpoint endpoint,
			RabbitListenerContainerFactory<?> factory) {
		ContextArguments.provide(endpoint);
		return super.createListenerContainer(endpoint, factory);
	}

}
