/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Logs in whoever says so, as a container does it for a servlet request.
 */
final class LoggedIn extends OncePerRequestFilter {

	private static final String SCHEME = "Basic ";

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String header = request.getHeader("Authorization");
		chain.doFilter((header != null) ? as(request, user(header)) : request, response);
	}

	private static String user(String header) {
		String both = new String(Base64.getDecoder().decode(header.substring(SCHEME.length())), StandardCharsets.UTF_8);
		return both.substring(0, both.indexOf(':'));
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
