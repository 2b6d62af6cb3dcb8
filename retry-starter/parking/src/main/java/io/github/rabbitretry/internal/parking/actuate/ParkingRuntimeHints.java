/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * Keeps what the endpoints take and answer. Spring Boot finds answers by the return types
 * of operations, which are more general here.
 */
final class ParkingRuntimeHints implements RuntimeHintsRegistrar {

	private static final String ACTUATOR = "org.springframework.boot.actuate.endpoint.OperationResponseBody";

	private static final String JDBC = "org.springframework.jdbc.core.JdbcTemplate";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(ACTUATOR, classLoader) && ClassUtils.isPresent(JDBC, classLoader)) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(),
					Bodies.ALL.toArray(Class<?>[]::new));
		}
	}

	/** Apart, for applications without the actuator. */
	private static final class Bodies {

		static final List<Class<?>> ALL = Stream
			.of(Stream.of(EndpointResponse.class.getPermittedSubclasses()),
					Stream.of(ParkingLotEndpoint.class.getDeclaredClasses()),
					Stream.of(ReplaysEndpoint.class.getDeclaredClasses()),
					Stream.of(ParkedDetails.class, ReplayArguments.class))
			.<Class<?>>flatMap((types) -> types)
			.filter(Class::isRecord)
			.toList();

	}

}
