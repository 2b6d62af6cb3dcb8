/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import org.junit.jupiter.api.Tag;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;

/**
 * The console on WebFlux.
 */
@Tag("long")
class ReactiveConsoleTests extends ConsoleContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.REACTIVE;
	}

	@Override
	String contextPath() {
		return "spring.webflux.base-path";
	}

	@Override
	Class<?> secured() {
		return Secured.class;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = Applications.OTHER_SERVER)
	static class Secured {

		@Bean
		ReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(ConsoleContract.users());
		}

	}

}
