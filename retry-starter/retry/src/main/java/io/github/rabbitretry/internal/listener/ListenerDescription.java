/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.aop.support.AopUtils;

/**
 * What errors say of a listener.
 *
 * @param name how to name it
 * @param handler its methods
 */
record ListenerDescription(String name, HandlerMethods handler) {

	public static ListenerDescription of(RabbitListenerEndpoint endpoint) {
		return new ListenerDescription(name(endpoint), HandlerMethods.of(endpoint));
	}

	public static ListenerDescription of(String name, @Nullable MessageListener listener) {
		return new ListenerDescription(name, HandlerMethods.of(listener));
	}

	private static String name(RabbitListenerEndpoint endpoint) {
		if (endpoint instanceof MethodRabbitListenerEndpoint method) {
			return (method.getMethod() != null)
					? method.getMethod().getDeclaringClass().getSimpleName() + "#" + method.getMethod().getName()
					: AopUtils.getTargetClass(method.getBean()).getSimpleName();
		}
		return endpoint.getId();
	}

}
