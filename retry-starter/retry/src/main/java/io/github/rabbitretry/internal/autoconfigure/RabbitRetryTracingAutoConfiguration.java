/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.metrics.ObservedAttempts;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.pipeline.AttemptObserver;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of what Rabbit Retry adds to the observations of listener
 * containers, where Micrometer has a registry for observations.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(MessagePolicies.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public final class RabbitRetryTracingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AttemptObserver rabbitRetryAttemptObserver(ObservationRegistry registry, Environment environment) {
		return registry.isNoop() ? AttemptObserver.NONE : new ObservedAttempts(registry, remoteFields(environment));
	}

	/** Read from headers of these names, or of the same in lower case. */
	private static List<String> remoteFields(Environment environment) {
		return Binder.get(environment)
			.bind("management.tracing.baggage.remote-fields", Bindable.listOf(String.class))
			.orElse(List.of())
			.stream()
			.flatMap((name) -> Stream.of(name, name.toLowerCase(Locale.ROOT)))
			.distinct()
			.toList();
	}

}
