/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

import java.security.Principal;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.ledger.ParkedState;
import io.github.rabbitretry.replay.OperatorAction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EndpointRequestTests {

	private static final Principal ANYBODY = new AnonymousAuthenticationToken("key", "anonymousUser",
			List.of(new SimpleGrantedAuthority("ROLE_ANONYMOUS")));

	@Test
	void aStateThatThereIsNotIsAnsweredWithAllThatThereAre() {
		assertThatExceptionOfType(EndpointException.class)
			.isThrownBy(() -> FilterArguments.search(request(null, Map.of("state", "FOO"))))
			.withMessage("'state' must be one of PARKED, REPLAYED, DISCARDED and ANY.");
		assertThat(FilterArguments.search(request(null, Map.of("state", "any"))).state()).isNull();
		assertThat(FilterArguments.search(request(null, Map.of("state", "replayed"))).state())
			.isEqualTo(ParkedState.REPLAYED);
	}

	@Test
	void whoHasLoggedInActsUnderThatName() {
		assertThat(request(() -> "ops-1", Map.of("because", "B")).act()).isEqualTo(new OperatorAction("ops-1", "B"));
		assertThatExceptionOfType(EndpointException.class)
			.isThrownBy(() -> request(() -> "ops-1", Map.of("because", "B", "user", "ops-2")).act())
			.withMessageContaining("not who has logged in");
	}

	@Test
	void whoHasNotLoggedInHasToSayWhoItIs() {
		for (Principal nobody : new Principal[] { null, ANYBODY }) {
			assertThat(request(nobody, Map.of("because", "B", "user", "ops-2")).act())
				.isEqualTo(new OperatorAction("ops-2", "B"));
			assertThatExceptionOfType(EndpointException.class)
				.isThrownBy(() -> request(nobody, Map.of("because", "B")).act())
				.withMessageContaining("user");
		}
	}

	private static EndpointRequest request(@Nullable Principal principal, Map<String, Object> arguments) {
		return new EndpointRequest(arguments, new SecurityContext() {

			@Override
			public @Nullable Principal getPrincipal() {
				return principal;
			}

			@Override
			public boolean isUserInRole(String role) {
				return false;
			}

		});
	}

}
