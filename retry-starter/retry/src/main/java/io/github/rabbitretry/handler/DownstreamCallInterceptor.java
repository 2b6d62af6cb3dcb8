/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.io.IOException;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Spends one downstream call for each request of a {@code RestClient} or
 * {@code RestTemplate} that a handler makes on its own thread, before it is sent. What
 * retries around the client counts too; what the HTTP library beneath repeats by itself
 * is not seen. Outside of handlers it does nothing.
 */
public final class DownstreamCallInterceptor implements ClientHttpRequestInterceptor {

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		RetryContext.current().ifPresent(RetryContext::spendDownstreamCall);
		return execution.execute(request, body);
	}

}
