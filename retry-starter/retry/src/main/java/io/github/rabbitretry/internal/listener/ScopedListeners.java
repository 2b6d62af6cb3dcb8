/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Listener beans behind a scope's proxy, {@code @RefreshScope} for one. Spring AMQP makes
 * a container for each bean that the scope makes, and lets each go on with its own bean.
 * Here there is one container, which calls the proxy, and so the bean that is in force.
 */
final class ScopedListeners {

	private final ListableBeanFactory beans;

	private final Set<Listener> registered = new HashSet<>();

	ScopedListeners(ListableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Has an endpoint call its bean through the scope's proxy, if there is one.
	 * @param endpoint an endpoint that is about to get a container
	 * @param queues its queues
	 * @return {@code false} if the listener has a container
	 * @throws UnsupportedListenerException if the proxy can't call the listener
	 */
	synchronized boolean register(MethodRabbitListenerEndpoint endpoint, List<String> queues) {
		String target = target(endpoint, queues);
		if (target == null) {
			return true;
		}
		HandlerMethods handler = HandlerMethods.of(endpoint);
		// before the proxy is made, whose own endpoint is registered then
		if (!this.registered.add(new Listener(target, names(handler.methods()), queues))) {
			return false;
		}
		Object proxy = this.beans.getBean(ScopedProxyUtils.getOriginalBeanName(target));
		for (Method method : handler.methods()) {
			if (!method.getDeclaringClass().isInstance(proxy)
					|| (method.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL)) != 0) {
				throw refused(endpoint, queues,
						"its bean '%s' is in a scope, whose proxy can't call its method '%s'"
							.formatted(ScopedProxyUtils.getOriginalBeanName(target), method.getName()),
						"Make the method public and not final, and the proxy that of the class (ScopedProxyMode.TARGET_CLASS).");
			}
		}
		endpoint.setBean(proxy);
		return true;
	}

	private @Nullable String target(MethodRabbitListenerEndpoint endpoint, List<String> queues) {
		Object bean = endpoint.getBean();
		if (bean instanceof ScopedObject && bean instanceof Advised advised
				&& advised.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource source) {
			return source.getTargetBeanName();
		}
		// the endpoint has not got the bean's name
		Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
		List<String> names = new ArrayList<>(Arrays.stream(this.beans.getBeanNamesForType(type, true, false))
			.filter((name) -> is(name, type))
			.toList());
		List<String> targets = names.stream().filter(ScopedProxyUtils::isScopedTarget).toList();
		targets.forEach((target) -> names.remove(ScopedProxyUtils.getOriginalBeanName(target)));
		if (targets.isEmpty()) {
			return null;
		}
		if (names.size() > 1) {
			throw refused(endpoint, queues,
					"several beans %s of its class are there, some of them in a scope".formatted(names),
					"Give each such bean a class of its own, or remove the scope.");
		}
		return targets.get(0);
	}

	private boolean is(String name, Class<?> type) {
		Class<?> found = this.beans.getType(name, false);
		return found != null && ClassUtils.getUserClass(found) == type;
	}

	private static List<String> names(List<Method> methods) {
		return methods.stream().map(Method::getName).sorted().toList();
	}

	private static UnsupportedListenerException refused(MethodRabbitListenerEndpoint endpoint, List<String> queues,
			String problem, String remedy) {
		return new UnsupportedListenerException(ListenerDescription.of(endpoint).name(), String.join("', '", queues),
				problem, remedy);
	}

	/**
	 * A listener, whichever bean of its scope has it.
	 *
	 * @param target the scoped bean's name
	 * @param methods its methods
	 * @param queues its queues
	 */
	private record Listener(String target, List<String> methods, List<String> queues) {
	}

}
