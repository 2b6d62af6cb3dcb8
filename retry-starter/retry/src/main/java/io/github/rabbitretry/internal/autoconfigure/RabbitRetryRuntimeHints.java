/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.management.Json;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * What a native image has to keep for the starter: settings that Spring AMQP has no
 * public getters for, and the records that configuration is bound to.
 */
final class RabbitRetryRuntimeHints implements RuntimeHintsRegistrar {

	private static final String SPRING_RABBIT = "org.springframework.amqp.rabbit.core.RabbitTemplate";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (!ClassUtils.isPresent(SPRING_RABBIT, classLoader)) {
			return;
		}
		ReflectionHints reflection = hints.reflection();
		reflection.registerType(SimpleMessageListenerContainer.class, MemberCategory.ACCESS_DECLARED_FIELDS);
		reflection.registerType(
				TypeReference.of(SimpleMessageListenerContainer.class.getName() + "$AsyncMessageProcessingConsumer"),
				MemberCategory.ACCESS_DECLARED_FIELDS);
		reflection.registerType(DirectMessageListenerContainer.class, MemberCategory.ACCESS_DECLARED_FIELDS);
		reflection.registerType(MessagingMessageListenerAdapter.class, MemberCategory.INVOKE_DECLARED_METHODS);
		reflection.registerType(AbstractAdaptableMessageListener.class, MemberCategory.INVOKE_DECLARED_METHODS);
		for (Class<?> type : new Class<?>[] { AbstractConnectionFactory.class, AbstractMessageListenerContainer.class,
				MessageListenerAdapter.class }) {
			reflection.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.ACCESS_DECLARED_FIELDS);
		}
		// made by Jackson
		reflection.registerType(TypeReference.of(Json.class.getName() + "$FirstOfEachName"),
				MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		reflection.registerType(DeliveryListener.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.proxies().registerJdkProxy(DeliveryListener.class);
		BindableRuntimeHintsRegistrar.forTypes(RabbitRetryProperties.class).registerHints(hints, classLoader);
	}

}
