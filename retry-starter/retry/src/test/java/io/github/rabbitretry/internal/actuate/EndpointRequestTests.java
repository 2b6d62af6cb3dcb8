/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.security.Principal;
import java.util.List;
import java.util.Map;

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
	void whoHasLoggedInActsUnderThatName() {
		assertThat(request(() -> "ops-1").user(null)).isEqualTo("ops-1");
		assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> request(() -> "ops-1").user("ops-2"))
			.withMessageContaining("not who has logged in");
	}

	@Test
	void whoHasNotLoggedInHasToSayWhoItIs() {
		for (Principal nobody : new Principal[] { null, ANYBODY }) {
			assertThat(request(nobody).user("ops-2")).isEqualTo("ops-2");
			assertThatExceptionOfType(EndpointException.class).isThrownBy(() -> request(nobody).user(null))
				.withMessageContaining("user");
		}
	}

	private static EndpointRequest request(@Nullable Principal principal) {
		return new EndpointRequest(Map.of(), new SecurityContext() {

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
