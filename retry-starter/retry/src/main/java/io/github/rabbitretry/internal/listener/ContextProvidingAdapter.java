/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.handler.RetryContext;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.adapter.InvocationResult;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.rabbit.support.ListenerExecutionFailedException;
import org.springframework.amqp.support.converter.MessagingMessageConverterAdapter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;

/**
 * Spring AMQP's adapter, but that a {@link RetryContext} is among what needs no
 * conversion, as the channel is.
 */
final class ContextProvidingAdapter extends MessagingMessageListenerAdapter {

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
			throw new ListenerExecutionFailedException("Listener method could not be invoked with the incoming message",
					ex, amqpMessages);
		}
		catch (Exception ex) {
			throw new ListenerExecutionFailedException("Listener method '%s' threw exception"
				.formatted(getHandlerAdapter().getMethodAsString(message.getPayload())), ex, amqpMessages);
		}
	}

}
