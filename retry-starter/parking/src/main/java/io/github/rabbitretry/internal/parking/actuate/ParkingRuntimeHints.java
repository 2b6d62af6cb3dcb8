/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * Keeps what the endpoints answer. Spring Boot finds answers by the return types of
 * operations, which are more general here.
 */
final class ParkingRuntimeHints implements RuntimeHintsRegistrar {

	private static final String ACTUATOR = "org.springframework.boot.actuate.endpoint.OperationResponseBody";

	private static final String JDBC = "org.springframework.jdbc.core.JdbcTemplate";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(ACTUATOR, classLoader) && ClassUtils.isPresent(JDBC, classLoader)) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Responses.ALL);
		}
	}

	/** Apart, for applications without the actuator. */
	private static final class Responses {

		static final Class<?>[] ALL = { EndpointResponse.Jobs.class, EndpointResponse.Items.class,
				EndpointResponse.Audit.class, EndpointResponse.Tried.class, DiscardResponse.class, JobResponse.class,
				ParkedDetails.class, RestoreResponse.class, ParkedGroups.class, ParkedListing.class };

	}

}
