/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.lang.reflect.AnnotatedElement;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListeners;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Listeners are made at startup even if all beans are lazy: nothing asks for them, so
 * that their queues would have no consumer.
 */
final class EagerListeners implements LazyInitializationExcludeFilter {

	@Override
	public boolean isExcluded(String beanName, BeanDefinition beanDefinition, Class<?> beanType) {
		return MessageListenerContainer.class.isAssignableFrom(beanType) || listens(beanType);
	}

	private static boolean listens(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, RabbitListener.class) && (annotated(type)
				|| !MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter) EagerListeners::annotated)
					.isEmpty());
	}

	private static boolean annotated(AnnotatedElement element) {
		return AnnotatedElementUtils.hasAnnotation(element, RabbitListener.class)
				|| AnnotatedElementUtils.hasAnnotation(element, RabbitListeners.class);
	}

}
