/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells where in the application's code a queue or an exchange is declared: as a bean, or
 * in an annotation that Spring AMQP has made a bean of, which has no definition.
 */
final class DeclarationOrigins {

	private final ListableBeanFactory beans;

	DeclarationOrigins(ListableBeanFactory beans) {
		this.beans = beans;
	}

	String ofQueue(String bean, String queue) {
		return origin(bean,
				(listener) -> Stream
					.concat(Arrays.stream(listener.queuesToDeclare()),
							Arrays.stream(listener.bindings()).map(QueueBinding::value))
					.flatMap((declared) -> Stream.of(declared.value(), declared.name()))
					.anyMatch((name) -> queue.equals(resolved(name))));
	}

	String ofExchange(String bean, String exchange) {
		return origin(bean,
				(listener) -> Arrays.stream(listener.bindings())
					.map(QueueBinding::exchange)
					.flatMap((declared) -> Stream.of(declared.value(), declared.name()))
					.anyMatch((name) -> exchange.equals(resolved(name))));
	}

	private String origin(String bean, Predicate<RabbitListener> declares) {
		if (this.beans instanceof ConfigurableListableBeanFactory factory && factory.containsBeanDefinition(bean)) {
			BeanDefinition definition = factory.getMergedBeanDefinition(bean);
			String where = (definition.getResourceDescription() != null) ? definition.getResourceDescription()
					: definition.getBeanClassName();
			return "bean '%s'%s".formatted(bean, (where != null) ? " of " + where : "");
		}
		return Arrays.stream(this.beans.getBeanDefinitionNames())
			.map((name) -> this.beans.getType(name, false))
			.filter(Objects::nonNull)
			.map(ClassUtils::getUserClass)
			.distinct()
			.map((type) -> annotated(type, declares))
			.flatMap(Optional::stream)
			.findFirst()
			.orElse("bean '%s'".formatted(bean));
	}

	private static Optional<String> annotated(Class<?> type, Predicate<RabbitListener> declares) {
		if (listeners(
				MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables()))
			.anyMatch(declares)) {
			return Optional.of("@RabbitListener on " + type.getName());
		}
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
			if (listeners(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY,
					RepeatableContainers.standardRepeatables()))
				.anyMatch(declares)) {
				return Optional.of("@RabbitListener on %s.%s".formatted(type.getName(), method.getName()));
			}
		}
		return Optional.empty();
	}

	private static Stream<RabbitListener> listeners(MergedAnnotations annotations) {
		return annotations.stream(RabbitListener.class).map((annotation) -> annotation.synthesize());
	}

	private @Nullable String resolved(String name) {
		if (!(this.beans instanceof ConfigurableListableBeanFactory factory) || name.isEmpty()) {
			return name;
		}
		String text = factory.resolveEmbeddedValue(name);
		BeanExpressionResolver resolver = factory.getBeanExpressionResolver();
		Object value = (resolver != null) ? resolver.evaluate(text, new BeanExpressionContext(factory, null)) : text;
		return (value != null) ? value.toString() : null;
	}

}
