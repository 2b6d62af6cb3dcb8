/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Leads from the root, where a login ends, to the console.
 */
@RestController
class HomePage {

	static final String PATH = "/";

	/** Browsers ask for it at the login page. */
	static final String ICON = "/favicon.ico";

	private static final EndpointId CONSOLE = EndpointId.of("retryconsole");

	private final ObjectProvider<PathMappedEndpoints> endpoints;

	HomePage(ObjectProvider<PathMappedEndpoints> endpoints) {
		this.endpoints = endpoints;
	}

	@GetMapping(PATH)
	void home(HttpServletRequest request, HttpServletResponse response) {
		RelativeRedirects.INSTANCE.sendRedirect(request, response,
				String.valueOf(this.endpoints.getObject().getPath(CONSOLE)));
	}

	@GetMapping(ICON)
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void icon() {
	}

}
