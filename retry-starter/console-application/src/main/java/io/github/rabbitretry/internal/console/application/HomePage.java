/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Leads from the root, where a login ends, to the console.
 */
@Configuration(proxyBeanMethods = false)
class HomePage implements WebMvcConfigurer {

	/** Browsers ask for it at the login page, which names none. */
	static final String ICON = "/favicon.ico";

	private final WebEndpointProperties endpoints;

	HomePage(WebEndpointProperties endpoints) {
		this.endpoints = endpoints;
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/", this.endpoints.getBasePath() + "/retryconsole");
		registry.addStatusController(ICON, HttpStatus.NO_CONTENT);
	}

}
