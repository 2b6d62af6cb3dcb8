/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Arrays;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.adapter.InvocationResult;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.rabbit.support.ListenerExecutionFailedException;
import org.springframework.amqp.support.converter.MessagingMessageConverterAdapter;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;
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

	/**
	 * Spring AMQP's adapter, but that a {@link RetryContext} is among what needs no
	 * conversion, as the channel is.
	 */
	private static final class ContextProvidingAdapter extends MessagingMessageListenerAdapter {

		ContextProvidingAdapter(@Nullable Object bean, @Nullable Method method, boolean returnExceptions,
				@Nullable RabbitListenerErrorHandler errorHandler) {
			super(bean, method, returnExceptions, errorHandler);
		}

		@Override
		protected MessagingMessageConverterAdapter newMessagingMessageConverterAdapter(@Nullable Object bean,
				@Nullable Method method, boolean batch) {
			return new MessagingMessageConverterAdapter(bean, method, batch, Channel.class, RetryContext.class);
		}

		@Override
		@SuppressWarnings("removal")
		protected InvocationResult invokeHandler(@Nullable Channel channel, Message<?> message, boolean batch,
				org.springframework.amqp.core.Message... amqpMessages) {
			org.springframework.amqp.core.Message received = amqpMessages[0];
			MessageProperties properties = received.getMessageProperties();
			RetryContext context = RetryContext.current().orElseGet(RetryContext::uncovered);
			try {
				return getHandlerAdapter().invoke(message, received, channel, properties, context);
			}
			catch (MessagingException ex) {
				throw new ListenerExecutionFailedException(
						"Listener method could not be invoked with the incoming message", ex, amqpMessages);
			}
			catch (Exception ex) {
				throw new ListenerExecutionFailedException("Listener method '%s' threw exception"
					.formatted(getHandlerAdapter().getMethodAsString(message.getPayload())), ex, amqpMessages);
			}
		}

	}

}
