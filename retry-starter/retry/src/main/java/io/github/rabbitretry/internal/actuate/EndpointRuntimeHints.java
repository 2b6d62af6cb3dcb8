/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * Keeps what the endpoints take and answer. Spring Boot finds answers by the return types
 * of operations, which are more general here.
 */
final class EndpointRuntimeHints implements RuntimeHintsRegistrar {

	private static final String ACTUATOR = "org.springframework.boot.actuate.endpoint.OperationResponseBody";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(ACTUATOR, classLoader)) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Answers.ALL);
		}
	}

	/** Apart, for applications without the actuator. */
	private static final class Answers {

		static final Class<?>[] ALL = { ExplanationBody.class, ConfigurationReport.class,
				RetryExplainEndpoint.Problem.class, WaitingRetriesEndpoint.Waiting.class,
				EndpointRequest.NoArguments.class };

	}

}
