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
 * Spends one downstream call for each request that a handler makes on its own thread with
 * a {@code RestClient} or {@code RestTemplate}, before it is sent. Retries around the
 * client are counted too; retries inside the underlying HTTP library are not. Outside of
 * handlers it does nothing.
 */
public final class DownstreamCallInterceptor implements ClientHttpRequestInterceptor {

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		RetryContext.current().ifPresent(RetryContext::spendDownstreamCall);
		return execution.execute(request, body);
	}

}
