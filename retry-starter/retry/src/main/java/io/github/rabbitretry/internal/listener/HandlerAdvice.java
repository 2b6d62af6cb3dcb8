/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.invocation.AsyncResult;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;

/**
 * An advice that a listener's methods are wrapped in, and that makes it unsafe to retry
 * their messages.
 *
 * @param advice the advice's class
 * @param method the first method that it is around
 */
record HandlerAdvice(String advice, String method) {

	/**
	 * Finds a retry, {@code @Retryable} for one: it would call the handler again within
	 * every call that is counted.
	 * @param handler the listener's methods
	 * @return what it is, or {@code null} if none repeats calls, as far as its name shows
	 */
	public static @Nullable HandlerAdvice repeating(HandlerMethods handler) {
		return around(handler, HandlerAdvice::repeats, (method) -> true);
	}

	/**
	 * Finds what runs a method on another thread and does not report its end:
	 * {@code @Async}, but for a method that returns a future.
	 * @param handler the listener's methods
	 * @return what it is, or {@code null} if each method has ended when it returns, or
	 * its result tells
	 */
	public static @Nullable HandlerAdvice detaching(HandlerMethods handler) {
		return around(handler, AsyncExecutionInterceptor.class::isAssignableFrom,
				(method) -> !AsyncResult.isPossible(method.getReturnType()));
	}

	private static @Nullable HandlerAdvice around(HandlerMethods handler, Predicate<Class<?>> advice,
			Predicate<Method> methods) {
		Object bean = handler.bean();
		while (bean instanceof Advised proxy) {
			Class<?> target = AopUtils.getTargetClass(proxy);
			for (Advisor advisor : proxy.getAdvisors()) {
				Optional<Method> found = advice.test(advisor.getAdvice().getClass()) ? handler.methods()
					.stream()
					.filter(methods)
					.filter((method) -> applies(advisor, method, target))
					.findFirst() : Optional.empty();
				if (found.isPresent()) {
					return new HandlerAdvice(advisor.getAdvice().getClass().getSimpleName(), found.get().getName());
				}
			}
			bean = AopProxyUtils.getSingletonTarget(proxy);
		}
		return null;
	}

	private static boolean applies(Advisor advisor, Method method, Class<?> target) {
		return advisor instanceof PointcutAdvisor pointcut && pointcut.getPointcut()
			.getMethodMatcher()
			.matches(AopUtils.getMostSpecificMethod(method, target), target);
	}

	/** Spring Retry's, Spring Framework's and their users' interceptors are called so. */
	private static boolean repeats(Class<?> advice) {
		if (advice.isHidden()) {
			// a lambda has the name of the class that it is written in
			return false;
		}
		for (Class<?> current = advice; current != null; current = current.getSuperclass()) {
			if (current.getSimpleName().contains("Retry")) {
				return true;
			}
		}
		return false;
	}

}
