/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.AfterAll;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoints behind Spring Security on WebFlux.
 */
class SecuredReactiveEndpointsTests extends SecuredEndpointsContract {

	@Override
	WebApplicationType type() {
		return WebApplicationType.REACTIVE;
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

	@AfterAll
	void noneOfTheseRequestsBlockedAnEventLoop() {
		assertThat(bean(Threads.class).blockable).containsExactly(true);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Unruled {

		@Bean
		ReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(List.copyOf(Users.all()));
		}

		@Bean
		Threads threads() {
			return new Threads();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Ruled extends Unruled {

		@Bean
		SecurityWebFilterChain operators(ServerHttpSecurity http) {
			return http.securityMatcher(EndpointRequest.to("parkinglot", "replays"))
				.authorizeExchange(
						(requests) -> requests.matchers(EndpointRequest.toAnyEndpoint().withHttpMethod(HttpMethod.GET))
							.authenticated()
							.anyExchange()
							.hasRole(WRITERS))
				.httpBasic(Customizer.withDefaults())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Permitting extends Unruled {

		@Bean
		SecurityWebFilterChain everybody(ServerHttpSecurity http) {
			return http.authorizeExchange((requests) -> requests.anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.anonymous(Customizer.withDefaults())
				.build();
		}

	}

	/** Notices whether the threads that the endpoints run on may be blocked. */
	static final class Threads implements OperationInvokerAdvisor {

		private final Set<Boolean> blockable = ConcurrentHashMap.newKeySet();

		@Override
		public OperationInvoker apply(EndpointId endpointId, OperationType operationType,
				OperationParameters parameters, OperationInvoker invoker) {
			return (context) -> {
				this.blockable.add(!Schedulers.isInNonBlockingThread());
				return invoker.invoke(context);
			};
		}

	}

}
