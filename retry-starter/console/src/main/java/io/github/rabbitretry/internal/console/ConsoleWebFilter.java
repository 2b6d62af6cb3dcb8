/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * The guard on WebFlux. Those of the application filter the requests of a management port
 * of its own too.
 */
final class ConsoleWebFilter implements WebFilter {

	private static final String TOKEN = "org.springframework.security.web.server.csrf.CsrfToken";

	private final ConsoleGuard guard;

	ConsoleWebFilter(ConsoleGuard guard) {
		this.guard = guard;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		PathContainer path = request.getPath().pathWithinApplication();
		if (this.guard.refuses(request.getMethod().name(), path, request.getHeaders().getFirst(ConsoleGuard.SITE))) {
			ServerHttpResponse response = exchange.getResponse();
			response.setStatusCode(HttpStatus.FORBIDDEN);
			response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
			return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(ConsoleGuard.REFUSAL)));
		}
		this.guard.setHeaders(path, exchange.getResponse().getHeaders()::set);
		String page = this.guard.redirect(path);
		if (page != null) {
			exchange.getResponse().setStatusCode(HttpStatus.FOUND);
			exchange.getResponse().getHeaders().set(HttpHeaders.LOCATION, page);
			return exchange.getResponse().setComplete();
		}
		if (exchange.getAttribute(TOKEN) != null && this.guard.isSession(path)) {
			return Csrf.expose(exchange).then(Mono.defer(() -> chain.filter(exchange)));
		}
		return chain.filter(exchange);
	}

	/** Apart, for applications without Spring Security. */
	private static final class Csrf {

		static Mono<Void> expose(ServerWebExchange exchange) {
			HttpHeaders headers = exchange.getResponse().getHeaders();
			return exchange.<Mono<CsrfToken>>getRequiredAttribute(TOKEN).doOnNext((token) -> {
				headers.set(ConsoleGuard.CSRF_HEADER, token.getHeaderName());
				headers.set(ConsoleGuard.CSRF_TOKEN, token.getToken());
			}).then();
		}

	}

}
