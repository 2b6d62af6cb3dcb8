/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.security.web.RedirectStrategy;

/**
 * Redirects relative to the request's path: neither the scheme nor a prefix that a proxy
 * strips has to be known here, and browsers apply {@code form-action} to where a form
 * leads.
 */
final class RelativeRedirects implements RedirectStrategy {

	static final RelativeRedirects INSTANCE = new RelativeRedirects();

	private RelativeRedirects() {
	}

	/**
	 * Redirects.
	 * @param url a path from the application's root, beginning with a slash
	 */
	@Override
	public void sendRedirect(HttpServletRequest request, HttpServletResponse response, String url) {
		String path = request.getRequestURI().substring(request.getContextPath().length());
		long up = path.chars().skip(1).filter((character) -> character == '/').count();
		response.setStatus(HttpServletResponse.SC_FOUND);
		response.setHeader(HttpHeaders.LOCATION, ((up == 0) ? "./" : "../".repeat((int) up)) + url.substring(1));
	}

}
