/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.invocation.AsyncResultHandlerAdapter;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.adapter.DelegatingInvocableHandler;
import org.springframework.amqp.listener.adapter.HandlerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MessageMethodArgumentResolver;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ReflectionUtils;

/**
 * The second half of a conversion: what the message converter made of a body becomes the
 * handler's argument, and is validated. A converter returns the bytes as they are if it
 * does not know the content type, and only here shows that they are no order.
 */
final class PayloadArguments {

	private static final @Nullable Method ADAPTER = accessible(
			ReflectionUtils.findMethod(MessagingMessageListenerAdapter.class, "getHandlerAdapter"));

	private static final @Nullable Method OF_PAYLOAD = accessible(
			ReflectionUtils.findMethod(DelegatingInvocableHandler.class, "getHandlerForPayload", Class.class));

	private static final @Nullable Field METHOD = accessible(
			ReflectionUtils.findField(HandlerAdapter.class, null, InvocableHandlerMethod.class));

	private static final @Nullable Field HANDLERS = accessible(
			ReflectionUtils.findField(HandlerAdapter.class, null, DelegatingInvocableHandler.class));

	private static final @Nullable Field RESOLVERS = accessible(ReflectionUtils.findField(InvocableHandlerMethod.class,
			null, HandlerMethodArgumentResolverComposite.class));

	/** They get something else than the payload. */
	private static final List<Class<?>> GIVEN = List.of(org.springframework.amqp.core.Message.class, Channel.class,
			MessageProperties.class, RetryContext.class);

	private PayloadArguments() {
	}

	/** What is called is not public; without it nothing is claimed. */
	/** What is called is not public; without it nothing is claimed. */
	static <T extends AccessibleObject> @Nullable T accessible(@Nullable T member) {
		if (member != null) {
			member.setAccessible(true);
		}
		return member;
	}

	/**
	 * Makes the handler's arguments of a payload, and calls nothing.
	 * @param adapter the listener
	 * @param message what the message converter returned
	 * @return whether that could be tried
	 * @throws Exception what the handler's caller would throw
	 */
	public static boolean resolve(MessagingMessageListenerAdapter adapter, Message<?> message) throws Exception {
		InvocableHandlerMethod handler = handler(adapter, message);
		if (handler == null || RESOLVERS == null || !(ReflectionUtils.getField(RESOLVERS,
				handler) instanceof HandlerMethodArgumentResolverComposite all)) {
			return false;
		}
		for (MethodParameter parameter : handler.getMethodParameters()) {
			HandlerMethodArgumentResolver resolver = given(parameter) ? null : ofPayload(all, parameter);
			if (resolver != null) {
				resolver.resolveArgument(parameter, message);
			}
		}
		return true;
	}

	private static @Nullable InvocableHandlerMethod handler(MessagingMessageListenerAdapter adapter,
			Message<?> message) {
		if (ADAPTER == null || METHOD == null || HANDLERS == null || OF_PAYLOAD == null
				|| !(ReflectionUtils.invokeMethod(ADAPTER, adapter) instanceof HandlerAdapter installed)) {
			return null;
		}
		HandlerAdapter handler = (installed instanceof AsyncResultHandlerAdapter ours) ? ours.waitedFor() : installed;
		if (ReflectionUtils.getField(METHOD, handler) instanceof InvocableHandlerMethod method) {
			return method;
		}
		Object handlers = ReflectionUtils.getField(HANDLERS, handler);
		return (handlers != null) ? (InvocableHandlerMethod) ReflectionUtils.invokeMethod(OF_PAYLOAD, handlers,
				message.getPayload().getClass()) : null;
	}

	private static boolean given(MethodParameter parameter) {
		return GIVEN.stream().anyMatch(parameter.getParameterType()::isAssignableFrom);
	}

	private static @Nullable HandlerMethodArgumentResolver ofPayload(HandlerMethodArgumentResolverComposite all,
			MethodParameter parameter) {
		return all.getResolvers()
			.stream()
			.filter((resolver) -> resolver.supportsParameter(parameter))
			.findFirst()
			.filter((resolver) -> resolver instanceof PayloadMethodArgumentResolver
					|| resolver instanceof MessageMethodArgumentResolver)
			.orElse(null);
	}

}
