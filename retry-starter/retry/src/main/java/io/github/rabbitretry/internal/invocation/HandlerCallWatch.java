/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * The innermost advice of a listener's methods, where its bean is a proxy: sees what the
 * advices around it repeat.
 */
public final class HandlerCallWatch implements MethodInterceptor {

	private static final HandlerCallWatch INSTANCE = new HandlerCallWatch();

	private HandlerCallWatch() {
	}

	/**
	 * Watches the methods of a listener, if its bean is a proxy.
	 * @param bean the bean, or {@code null} if it is not known
	 * @param methods those that handle messages
	 */
	public static void install(@Nullable Object bean, List<Method> methods) {
		List<Advised> proxies = proxies(bean);
		if (proxies.isEmpty()) {
			return;
		}
		Advised innermost = proxies.get(proxies.size() - 1);
		HandlerPointcut pointcut = new HandlerPointcut(methods);
		boolean installed = Arrays.stream(innermost.getAdvisors())
			.anyMatch((advisor) -> advisor instanceof DefaultPointcutAdvisor other
					&& other.getPointcut() instanceof HandlerPointcut same && same.handlers.equals(methods));
		if (!installed && !innermost.isFrozen()) {
			innermost.addAdvisor(new DefaultPointcutAdvisor(pointcut, INSTANCE));
		}
	}

	/**
	 * The proxies around a bean.
	 * @param bean the bean, or {@code null} if it is not known
	 * @return those of Spring, outermost first
	 */
	public static List<Advised> proxies(@Nullable Object bean) {
		List<Advised> proxies = new ArrayList<>();
		Object current = bean;
		while (current instanceof Advised advised) {
			proxies.add(advised);
			current = AopProxyUtils.getSingletonTarget(current);
		}
		return proxies;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		RepeatedCalls.entering(RepeatedCalls.Place.METHOD);
		try {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			RepeatedCalls.failed(RepeatedCalls.Place.METHOD);
			throw ex;
		}
	}

	/** Not what a handler calls of its own bean: that may well be called often. */
	private static final class HandlerPointcut extends StaticMethodMatcherPointcut {

		private final List<Method> handlers;

		HandlerPointcut(List<Method> handlers) {
			this.handlers = handlers;
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			Method called = AopUtils.getMostSpecificMethod(method, targetClass);
			return this.handlers.stream()
				.anyMatch((handler) -> AopUtils.getMostSpecificMethod(handler, targetClass).equals(called));
		}

	}

}
