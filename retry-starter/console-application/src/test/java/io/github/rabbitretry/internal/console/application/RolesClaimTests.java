/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.oauth2.core.user.OAuth2UserAuthority;

import static org.assertj.core.api.Assertions.assertThat;

class RolesClaimTests {

	private static List<String> roles(String claim, GrantedAuthority... authorities) {
		return new RolesClaim(claim).mapAuthorities(List.of(authorities))
			.stream()
			.map(GrantedAuthority::getAuthority)
			.map(String::valueOf)
			.toList();
	}

	private static GrantedAuthority user(Map<String, Object> attributes) {
		return new OAuth2UserAuthority(attributes);
	}

	@Test
	void areReadFromTheAttributesOfAUser() {
		assertThat(roles("roles", user(Map.of("sub", "olivia", "roles", List.of("VIEWER", "OPERATOR")))))
			.containsExactly("ROLE_VIEWER", "ROLE_OPERATOR");
	}

	@Test
	void areReadFromAnIdTokenOrTheUserInfo() {
		Instant now = Instant.now();
		OidcIdToken without = new OidcIdToken("token", now, now.plusSeconds(60), Map.of("sub", "olivia"));
		OidcIdToken token = new OidcIdToken("token", now, now.plusSeconds(60),
				Map.of("sub", "olivia", "roles", List.of("VIEWER")));
		OidcUserInfo info = new OidcUserInfo(Map.of("sub", "olivia", "roles", List.of("EDITOR")));
		assertThat(roles("roles", new OidcUserAuthority(token))).containsExactly("ROLE_VIEWER");
		assertThat(roles("roles", new OidcUserAuthority(without, info))).containsExactly("ROLE_EDITOR");
	}

	@Test
	void mayBeTextsOrNestedOrOfAnyName() {
		assertThat(roles("groups", user(Map.of("groups", "VIEWER OPERATOR,EDITOR")))).containsExactly("ROLE_VIEWER",
				"ROLE_OPERATOR", "ROLE_EDITOR");
		assertThat(roles("realm_access.roles", user(Map.of("realm_access", Map.of("roles", List.of("VIEWER"))))))
			.containsExactly("ROLE_VIEWER");
		assertThat(roles("https://company.example/roles",
				user(Map.of("https://company.example/roles", List.of("VIEWER")))))
			.containsExactly("ROLE_VIEWER");
	}

	@Test
	void areNoScopesAndNothingElse() {
		assertThat(roles("roles", new SimpleGrantedAuthority("ROLE_OPERATOR"),
				new SimpleGrantedAuthority("SCOPE_roles"), user(Map.of("sub", "olivia"))))
			.isEmpty();
		assertThat(roles("roles", user(Map.of("roles", 7)))).isEmpty();
		assertThat(roles("roles.of", user(Map.of("roles", "OPERATOR")))).isEmpty();
	}

}
