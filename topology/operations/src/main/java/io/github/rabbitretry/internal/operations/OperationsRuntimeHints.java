/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import io.github.rabbitretry.internal.management.Json;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * Keeps what the endpoints answer, and what the management API does. Spring Boot finds
 * answers by the return types of operations, which are more general here.
 */
final class OperationsRuntimeHints implements RuntimeHintsRegistrar {

	private static final String ACTUATOR = "org.springframework.boot.actuate.endpoint.OperationResponseBody";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		// made by Jackson
		hints.reflection()
			.registerType(TypeReference.of(Json.class.getName() + "$FirstOfEachName"),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		if (ClassUtils.isPresent(ACTUATOR, classLoader)) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Responses.ALL);
		}
	}

	/** Apart, for applications without the actuator. */
	private static final class Responses {

		static final Class<?>[] ALL = { FailedRequest.class, RetryTopologyEndpoint.Topology.class };

	}

}
