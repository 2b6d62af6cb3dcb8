/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The endpoints behind Spring Security in a servlet container.
 */
class SecuredServletEndpointsTests extends SecuredEndpointsContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.SERVLET;
	}

	@Override
	Class<?> ruled() {
		return Ruled.class;
	}

	@Override
	Class<?> unruled() {
		return Unruled.class;
	}

	@Override
	Class<?> permitting() {
		return Permitting.class;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Unruled {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(Users.all());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Ruled extends Unruled {

		@Bean
		SecurityFilterChain operators(HttpSecurity http) {
			return http.securityMatcher(EndpointRequest.to("parkinglot", "replays"))
				.authorizeHttpRequests((requests) -> requests
					.requestMatchers(EndpointRequest.toAnyEndpoint().withHttpMethod(HttpMethod.GET))
					.authenticated()
					.anyRequest()
					.hasRole(WRITERS))
				.httpBasic(Customizer.withDefaults())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Permitting extends Unruled {

		@Bean
		SecurityFilterChain everybody(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

	}

}
