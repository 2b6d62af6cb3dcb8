/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.oauth2.core.user.OAuth2UserAuthority;

/**
 * Reads roles from a claim of the ID token, or from an attribute of the user. Nothing
 * else that a provider grants, such as scopes, is a role.
 */
final class RolesClaim implements GrantedAuthoritiesMapper {

	private final String name;

	RolesClaim(String name) {
		this.name = name;
	}

	@Override
	public Collection<? extends GrantedAuthority> mapAuthorities(Collection<? extends GrantedAuthority> authorities) {
		Set<GrantedAuthority> roles = new LinkedHashSet<>();
		for (GrantedAuthority authority : authorities) {
			if (authority instanceof OAuth2UserAuthority user) {
				// of OpenID Connect, these are the claims of ID token and user info
				roles(user.getAttributes()).map(RolesClaim::role).forEach(roles::add);
			}
		}
		return roles;
	}

	private static GrantedAuthority role(String role) {
		return new SimpleGrantedAuthority("ROLE_" + role);
	}

	private Stream<String> roles(Map<String, Object> claims) {
		Object value = claims.get(this.name);
		if (value == null) {
			value = nested(claims, this.name);
		}
		Stream<?> values = (value instanceof Collection<?> several) ? several.stream() : Stream.of();
		if (value instanceof String text) {
			values = Arrays.stream(text.split("[\\s,]+"));
		}
		return values.filter(Objects::nonNull).map(String::valueOf).filter((role) -> !role.isBlank());
	}

	private static @Nullable Object nested(Map<String, Object> claims, String path) {
		Object value = claims;
		for (String key : path.split("\\.")) {
			value = (value instanceof Map<?, ?> map) ? map.get(key) : null;
		}
		return value;
	}

}
