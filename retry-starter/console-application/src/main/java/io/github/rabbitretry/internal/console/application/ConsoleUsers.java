/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.security.autoconfigure.SecurityProperties;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Users of the operations application.
 *
 * @param users Users by name, in the operations application.
 * @param rolesClaim Name of the claim or user attribute with the roles after an OAuth 2
 * login, in the operations application. Dots lead into nested objects.
 */
@ConfigurationProperties(ConsoleUsers.PREFIX)
record ConsoleUsers(@DefaultValue Map<String, Account> users, @DefaultValue("roles") String rolesClaim) {

	static final String PREFIX = "rabbit-retry.console";

	private static final Pattern ENCODED = Pattern.compile("\\{[^{}]+}.+", Pattern.DOTALL);

	/** Those, and the one of Spring Boot if it has a password. */
	List<UserDetails> details(SecurityProperties.User single) {
		List<UserDetails> details = new ArrayList<>();
		this.users.forEach((name, account) -> {
			String property = PREFIX + ".users." + name;
			String password = account.password();
			if (password == null || !ENCODED.matcher(password).matches()) {
				throw new InvalidConfigurationException(property + ".password", (password != null) ? "(not shown)" : "",
						"does not begin with the id of its encoding",
						"Write {bcrypt} and its hash, or {noop} and the password itself.");
			}
			details.add(user(property, name, password, account.roles()));
		});
		if (!single.isPasswordGenerated()) {
			String password = single.getPassword();
			details.add(user("spring.security.user", single.getName(),
					ENCODED.matcher(password).matches() ? password : "{noop}" + password, single.getRoles()));
		}
		return details;
	}

	/** A user who may do nothing at all is a mistake. */
	private static UserDetails user(String property, String name, String password, Collection<String> roles) {
		if (Arrays.stream(Role.names()).noneMatch(roles::contains)) {
			throw new InvalidConfigurationException(property + ".roles", roles, "lets the user do nothing",
					"Add at least one of %s.".formatted(String.join(", ", Role.names())));
		}
		return User.withUsername(name).password(password).roles(roles.toArray(String[]::new)).build();
	}

	/**
	 * A user.
	 *
	 * @param password Password with the id of its encoding, such as {bcrypt}.
	 * @param roles Roles: VIEWER, OPERATOR, BODY_READER, EDITOR.
	 */
	record Account(@Nullable String password, @DefaultValue Set<String> roles) {

		/** Without the password. */
		@Override
		public String toString() {
			return "Account" + this.roles;
		}

	}

}
