/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Spring AMQP's registry, which lets listener methods have a {@link RetryContext}
 * argument: of whatever policy covers them, or of none. They get an adapter that provides
 * it, and all others are left alone.
 * <p>
 * Not by an argument resolver: that would be one more of whatever the application
 * configures, and a resolved argument beside the payload keeps Spring AMQP from inferring
 * the payload's type.
 */
public class ContextProvidingRegistry extends RabbitListenerEndpointRegistry {

	@Override
	protected MessageListenerContainer createListenerContainer(RabbitListenerEndpoint endpoint,
			RabbitListenerContainerFactory<?> factory) {
		if (endpoint instanceof MethodRabbitListenerEndpoint method && wanted(method)) {
			method.setAdapterProvider(ContextProvidingRegistry::adapter);
		}
		return super.createListenerContainer(endpoint, factory);
	}

	private static boolean wanted(MethodRabbitListenerEndpoint endpoint) {
		Method method = endpoint.getMethod();
		if (method != null) {
			return takesContext(method);
		}
		Class<?> type = AopUtils.getTargetClass(endpoint.getBean());
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((candidate) -> AnnotatedElementUtils.hasAnnotation(candidate, RabbitHandler.class))
			.anyMatch(ContextProvidingRegistry::takesContext);
	}

	private static boolean takesContext(Method method) {
		return Arrays.asList(method.getParameterTypes()).contains(RetryContext.class);
	}

	private static MessagingMessageListenerAdapter adapter(boolean batch, @Nullable Object bean,
			@Nullable Method method, boolean returnExceptions, @Nullable RabbitListenerErrorHandler errorHandler,
			@Nullable BatchingStrategy batchingStrategy) {
		if (batch) {
			throw UnsupportedListenerException.ofBatches((method != null) ? method.toGenericString() : "of " + bean);
		}
		return new ContextProvidingAdapter(bean, method, returnExceptions, errorHandler);
	}

}
