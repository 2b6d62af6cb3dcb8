/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;

/**
 * What errors say of a listener.
 *
 * @param name how to name it
 * @param nestedRetry the retry that its method is wrapped in, or {@code null} if none is
 * seen
 */
record ListenerDescription(String name, @Nullable String nestedRetry) {

	static ListenerDescription of(RabbitListenerEndpoint endpoint) {
		if (endpoint instanceof MethodRabbitListenerEndpoint method && method.getMethod() != null) {
			return new ListenerDescription(
					method.getMethod().getDeclaringClass().getSimpleName() + "#" + method.getMethod().getName(),
					NestedRetry.around(method.getBean(), method.getMethod()));
		}
		return new ListenerDescription(endpoint.getId(), null);
	}

}
