/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
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
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * What a native image has to keep for the starter: settings that Spring AMQP has no
 * public getters for, the records that configuration is bound to, and the exceptions that
 * configured rules name.
 */
final class RabbitRetryRuntimeHints implements RuntimeHintsRegistrar, BeanFactoryInitializationAotProcessor {

	private static final Bindable<List<Map<String, Object>>> RULES = Bindable.of(ResolvableType
		.forClassWithGenerics(List.class, ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));

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
		reflection.registerType(DeliveryListener.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.proxies().registerJdkProxy(DeliveryListener.class);
		BindableRuntimeHintsRegistrar.forTypes(RabbitRetryProperties.class).registerHints(hints, classLoader);
	}

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<String> exceptions = Binder.get(beanFactory.getBean(Environment.class))
			.bind("rabbit-retry.classification.rules", RULES)
			.orElse(List.of())
			.stream()
			.map((rule) -> rule.get("exception"))
			.filter(Objects::nonNull)
			.map((name) -> name.toString().strip())
			.toList();
		return exceptions.isEmpty() ? null : (context, code) -> exceptions.forEach((name) -> context.getRuntimeHints()
			.reflection()
			.registerTypeIfPresent(beanFactory.getBeanClassLoader(), name, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
