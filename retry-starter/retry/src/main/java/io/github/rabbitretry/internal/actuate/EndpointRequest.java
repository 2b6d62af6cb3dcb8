/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.security.Principal;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;

/**
 * A request to one of our endpoints.
 *
 * @param arguments its arguments
 * @param security who asks, as the actuator knows them
 */
public record EndpointRequest(Map<String, Object> arguments, SecurityContext security) {

	private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

	/**
	 * Binds the arguments to a record. Records and maps within it take theirs from the
	 * same arguments: a record those with the names of its components, a map those that
	 * begin with its name and a dot.
	 * @param <R> the type
	 * @param type the type
	 * @return the arguments
	 * @throws EndpointException if there is an argument that the record has not, or one
	 * of the wrong type
	 */
	public <R extends Record> R as(Class<R> type) {
		return ArgumentBinder.bind(this.arguments, type);
	}

	/**
	 * The name of the user. Authenticated users do not have to give it, and can't give
	 * another one.
	 * @param given the argument {@code user}
	 * @return the name
	 */
	public String user(@Nullable String given) {
		String authenticated = authenticated(this.security);
		if (authenticated == null) {
			return required("user", given);
		}
		if (given != null && !given.equals(authenticated)) {
			throw EndpointException.invalid("'user' is not who has logged in. Leave it out.");
		}
		return authenticated;
	}

	/**
	 * The name of the authenticated user.
	 * @param security the request's security context
	 * @return the name, or {@code null} if the request is not authenticated
	 */
	public static @Nullable String authenticated(SecurityContext security) {
		Principal principal = security.getPrincipal();
		// Spring Security gives anonymous users a name
		return (principal == null || principal.getClass().getName().equals(ANONYMOUS)) ? null : principal.getName();
	}

	/**
	 * Whether the user is authenticated.
	 * @return {@code false} for anonymous users
	 */
	public boolean loggedIn() {
		return authenticated(this.security) != null;
	}

	/**
	 * Requires a text.
	 * @param name the argument's name
	 * @param text the text
	 * @return the same text
	 */
	public static String required(String name, @Nullable String text) {
		if (text == null || text.isBlank()) {
			throw EndpointException.invalid("'%s' is missing.".formatted(name));
		}
		return text;
	}

	/**
	 * The arguments of an operation that takes none.
	 */
	public record NoArguments() {
	}

}
