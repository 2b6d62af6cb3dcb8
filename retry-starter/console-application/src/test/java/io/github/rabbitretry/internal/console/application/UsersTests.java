/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.security.autoconfigure.SecurityProperties;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UsersTests {

	private static List<UserDetails> users(@Nullable String password, String... roles) {
		return new ConsoleUsers(Map.of("olivia", new ConsoleUsers.Account(password, Set.of(roles))), "roles")
			.details(new SecurityProperties.User());
	}

	@Test
	void haveTheirRoles() {
		assertThat(users("{bcrypt}hash", "VIEWER", "LEAD")).singleElement().satisfies((user) -> {
			assertThat(user.getUsername()).isEqualTo("olivia");
			assertThat(user.getAuthorities()).extracting(GrantedAuthority::getAuthority)
				.containsExactlyInAnyOrder("ROLE_VIEWER", "ROLE_LEAD");
		});
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "s3cret", "{}s3cret", "{noop}", "" })
	void needAPasswordWithItsEncodingWhichIsNotShown(@Nullable String password) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> users(password, "VIEWER"))
			.satisfies((ex) -> {
				assertThat(ex.property()).isEqualTo("rabbit-retry.console.users.olivia.password");
				assertThat(ex.getMessage()).contains("{bcrypt}").doesNotContain("s3cret");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "viewer", "OPERATER", "LEAD" })
	void withoutARoleThatAllowsAnythingAreAMistake(String role) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> users("{noop}secret", role))
			.satisfies((ex) -> {
				assertThat(ex.property()).isEqualTo("rabbit-retry.console.users.olivia.roles");
				assertThat(ex.remedy()).contains("VIEWER, OPERATOR, BODY_READER, EDITOR");
			});
	}

	@Test
	void ofSpringBootsPropertiesCount() {
		SecurityProperties.User single = new SecurityProperties.User();
		single.setPassword("secret");
		single.setRoles(List.of("OPERATOR"));
		assertThat(new ConsoleUsers(Map.of(), "roles").details(single)).singleElement().satisfies((user) -> {
			assertThat(user.getUsername()).isEqualTo("user");
			assertThat(user.getPassword()).isEqualTo("{noop}secret");
		});
	}

}
