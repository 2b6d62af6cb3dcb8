/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * The console in a servlet container.
 */
class ServletConsoleTests extends ConsoleContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.SERVLET;
	}

	@Override
	String contextPath() {
		return "server.servlet.context-path";
	}

	@Override
	Class<?> secured() {
		return Secured.class;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = Applications.OTHER_SERVER)
	static class Secured {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(ConsoleContract.users());
		}

	}

}
