/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
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

	private final ConfigurableListableBeanFactory beans;

	private final EmbeddedValueResolver values;

	DeclarationOrigins(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
		this.values = new EmbeddedValueResolver(beans);
	}

	String of(String bean, String declared) {
		if (this.beans.containsBeanDefinition(bean)) {
			BeanDefinition definition = this.beans.getMergedBeanDefinition(bean);
			String where = (definition.getResourceDescription() != null) ? definition.getResourceDescription()
					: definition.getBeanClassName();
			return "bean '%s'%s".formatted(bean, (where != null) ? " of " + where : "");
		}
		return Arrays.stream(this.beans.getBeanDefinitionNames())
			.map((name) -> this.beans.getType(name, false))
			.filter(Objects::nonNull)
			.map(ClassUtils::getUserClass)
			.distinct()
			.flatMap((type) -> Stream.concat(Stream.of(type),
					Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))))
			.filter((element) -> declares(element, declared))
			.findFirst()
			.map((element) -> "@RabbitListener on " + name(element))
			.orElse("bean '%s'".formatted(bean));
	}

	private boolean declares(AnnotatedElement element, String declared) {
		return MergedAnnotations
			.from(element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(RabbitListener.class)
			.map((annotation) -> annotation.synthesize())
			.flatMap(
					(listener) -> Stream.concat(
							Stream
								.concat(Arrays.stream(listener.queuesToDeclare()),
										Arrays.stream(listener.bindings()).map(QueueBinding::value))
								.flatMap((queue) -> Stream.of(queue.value(), queue.name())),
							Arrays.stream(listener.bindings())
								.map(QueueBinding::exchange)
								.flatMap((exchange) -> Stream.of(exchange.value(), exchange.name()))))
			.anyMatch((name) -> !name.isEmpty() && declared.equals(this.values.resolveStringValue(name)));
	}

	private static String name(AnnotatedElement element) {
		return (element instanceof Method method) ? method.getDeclaringClass().getName() + "." + method.getName()
				: ((Class<?>) element).getName();
	}

}
