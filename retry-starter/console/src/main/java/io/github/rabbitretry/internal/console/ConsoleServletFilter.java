/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * The guard in a servlet container.
 */
final class ConsoleServletFilter extends OncePerRequestFilter {

	private static final String TOKEN = "org.springframework.security.web.csrf.CsrfToken";

	private final ConsoleGuard guard;

	ConsoleServletFilter(ConsoleGuard guard) {
		this.guard = guard;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
		if (this.guard.refuses(request.getMethod(), path, request.getHeader(ConsoleGuard.SITE))) {
			response.setStatus(HttpServletResponse.SC_FORBIDDEN);
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			response.getOutputStream().write(ConsoleGuard.REFUSAL);
			return;
		}
		this.guard.setHeaders(path, response::setHeader);
		String page = this.guard.redirect(path);
		if (page != null) {
			response.setStatus(HttpServletResponse.SC_FOUND);
			response.setHeader(HttpHeaders.LOCATION, page);
			return;
		}
		if (request.getAttribute(TOKEN) != null && this.guard.isSession(path)) {
			Csrf.expose(request, response);
		}
		chain.doFilter(request, response);
	}

	/** Apart, for applications without Spring Security. */
	private static final class Csrf {

		static void expose(HttpServletRequest request, HttpServletResponse response) {
			if (request.getAttribute(TOKEN) instanceof CsrfToken token) {
				response.setHeader(ConsoleGuard.CSRF_HEADER, token.getHeaderName());
				// made, and kept for the write to come, only when it is asked for
				response.setHeader(ConsoleGuard.CSRF_TOKEN, token.getToken());
			}
		}

	}

}
