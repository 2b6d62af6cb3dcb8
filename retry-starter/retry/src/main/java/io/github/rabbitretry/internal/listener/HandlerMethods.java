/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods that a listener's messages end up in.
 *
 * @param bean the object that has them, which may be a proxy
 * @param methods the methods
 */
record HandlerMethods(@Nullable Object bean, List<Method> methods) {

	private static final HandlerMethods UNKNOWN = new HandlerMethods(null, List.of());

	public static HandlerMethods of(RabbitListenerEndpoint endpoint) {
		if (endpoint instanceof MethodRabbitListenerEndpoint method) {
			Object bean = method.getBean();
			if (method.getMethod() != null) {
				return new HandlerMethods(bean, List.of(method.getMethod()));
			}
			// a class of @RabbitHandler methods
			return new HandlerMethods(bean,
					methods(bean, (candidate) -> AnnotatedElementUtils.hasAnnotation(candidate, RabbitHandler.class)));
		}
		if (endpoint instanceof SimpleRabbitListenerEndpoint simple) {
			return of(simple.getMessageListener());
		}
		return UNKNOWN;
	}

	public static HandlerMethods of(@Nullable MessageListener listener) {
		if (listener == null) {
			return UNKNOWN;
		}
		HandlerMethods adapted = AdaptedDelegate.methods(listener);
		return (adapted != null) ? adapted : new HandlerMethods(listener,
				methods(listener, (candidate) -> candidate.getName().equals("onMessage")));
	}

	private static List<Method> methods(Object bean, ReflectionUtils.MethodFilter filter) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(AopUtils.getTargetClass(bean), filter)).toList();
	}

}
