/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Keeps the exceptions that configured rules name: a native image knows no class by its
 * name alone.
 */
final class RuleExceptionHints implements BeanFactoryInitializationAotProcessor {

	private static final Bindable<List<Map<String, Object>>> RULES = Bindable.of(ResolvableType
		.forClassWithGenerics(List.class, ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));

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
