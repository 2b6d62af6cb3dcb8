/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.security.Principal;
import java.util.Map;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.message.ParkedState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FilterArgumentsTests {

	@Test
	void aStateThatThereIsNotIsAnsweredWithAllThatThereAre() {
		assertThatExceptionOfType(EndpointException.class)
			.isThrownBy(() -> FilterArguments.search(request(Map.of("state", "FOO"))))
			.withMessage("'state' must be one of PARKED, REPLAYED, DISCARDED and ANY.");
		assertThat(FilterArguments.search(request(Map.of("state", "any"))).state()).isNull();
		assertThat(FilterArguments.search(request(Map.of("state", "replayed"))).state())
			.isEqualTo(ParkedState.REPLAYED);
	}

	private static EndpointRequest request(Map<String, Object> arguments) {
		return new EndpointRequest(arguments, new SecurityContext() {

			@Override
			public @Nullable Principal getPrincipal() {
				return null;
			}

			@Override
			public boolean isUserInRole(String role) {
				return false;
			}

		});
	}

}
