/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * Has the guard filter requests of the server that the endpoints are at: the
 * application's, or that of a management port of its own, whose filters are its own too.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ConsoleGuard.class)
class ConsoleServletConfiguration {

	/**
	 * By default the last, so that Spring Security has put its token into the request.
	 */
	@Bean
	FilterRegistrationBean<ConsoleServletFilter> rabbitRetryConsoleFilter(ConsoleGuard guard) {
		return new FilterRegistrationBean<>(new ConsoleServletFilter(guard));
	}

}
