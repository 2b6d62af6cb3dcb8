/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

import java.io.IOException;
import java.security.Principal;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Logs in whom a header names, as Spring Security does it for a servlet request.
 */
final class LoggedIn extends OncePerRequestFilter {

	static final String HEADER = "X-Logged-In";

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String user = request.getHeader(HEADER);
		chain.doFilter((user != null) ? as(request, user) : request, response);
	}

	private static HttpServletRequest as(HttpServletRequest request, String user) {
		return new HttpServletRequestWrapper(request) {

			@Override
			public Principal getUserPrincipal() {
				return () -> user;
			}

			@Override
			public boolean isUserInRole(String role) {
				return user.equals("admin") && role.equals("OPERATOR");
			}

		};
	}

}
