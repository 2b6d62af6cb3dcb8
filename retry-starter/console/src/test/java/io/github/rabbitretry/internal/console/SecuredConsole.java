/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * Users, to whom the rules of Spring Boot apply: a form or basic login, and a CSRF token.
 */
@Configuration(proxyBeanMethods = false)
class SecuredConsole {

	@Bean
	@ConditionalOnWebApplication(type = Type.SERVLET)
	UserDetailsService users() {
		return new InMemoryUserDetailsManager(ConsoleContract.users());
	}

	@Bean
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	ReactiveUserDetailsService reactiveUsers() {
		return new MapReactiveUserDetailsService(ConsoleContract.users());
	}

}
