/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;

/**
 * Finds a retry that a listener method is wrapped in, {@code @Retryable} for one: it
 * would call the handler again within every call that is counted.
 */
final class NestedRetry {

	private NestedRetry() {
	}

	/**
	 * Looks at the proxy around a listener.
	 * @param bean the listener's bean
	 * @param method its method
	 * @return the advice's class, or {@code null} if none repeats calls, as far as its
	 * name tells
	 */
	static @Nullable String around(@Nullable Object bean, Method method) {
		if (!(bean instanceof Advised advised)) {
			return null;
		}
		Class<?> target = AopUtils.getTargetClass(bean);
		Method implementation = AopUtils.getMostSpecificMethod(method, target);
		for (Advisor advisor : advised.getAdvisors()) {
			if (advisor instanceof PointcutAdvisor pointcut && repeats(advisor.getAdvice().getClass())
					&& pointcut.getPointcut().getMethodMatcher().matches(implementation, target)) {
				return advisor.getAdvice().getClass().getSimpleName();
			}
		}
		return null;
	}

	/** Spring Retry's, Spring Framework's and their users' interceptors are called so. */
	private static boolean repeats(Class<?> advice) {
		for (Class<?> current = advice; current != null; current = current.getSuperclass()) {
			if (current.getSimpleName().contains("Retry")) {
				return true;
			}
		}
		return false;
	}

}
