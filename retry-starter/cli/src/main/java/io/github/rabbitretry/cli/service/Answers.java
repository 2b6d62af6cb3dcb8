/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.service;

import java.net.HttpURLConnection;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * From what endpoints answer to what commands see.
 */
public final class Answers {

	/** What the operations application answers after too many wrong passwords. */
	private static final int TOO_MANY_REQUESTS = 429;

	private Answers() {
	}

	/**
	 * The answer, unless it is a refusal.
	 * @param request the request
	 * @param status the HTTP status
	 * @param body the body, or {@code null} if it is no JSON
	 * @return the body
	 * @throws ServiceException if it is a refusal or no answer of an endpoint
	 */
	public static JsonNode check(Request request, int status, @Nullable JsonNode body) {
		if (status == HttpURLConnection.HTTP_OK) {
			if (body == null || !body.isObject()) {
				throw new ServiceException(ExitCode.UNAVAILABLE,
						"What answers there is no endpoint of Rabbit Retry: it sends no JSON object.");
			}
			return body;
		}
		// errors of Spring Boot itself have a path or a timestamp
		boolean ours = body != null && body.path("error").isString() && !body.has("path") && !body.has("timestamp");
		throw new ServiceException(exitCode(status),
				ours ? body.path("error").asString() : explained(status, request.path().get(0)));
	}

	private static ExitCode exitCode(int status) {
		if (status == HttpURLConnection.HTTP_NOT_FOUND) {
			return ExitCode.NOT_FOUND;
		}
		return (status >= HttpURLConnection.HTTP_INTERNAL_ERROR) ? ExitCode.UNAVAILABLE : ExitCode.REFUSED;
	}

	private static String explained(int status, String endpoint) {
		return switch (status) {
			case HttpURLConnection.HTTP_UNAUTHORIZED ->
				"The service wants to know who asks (401): give --login, or set RABBIT_RETRY_TOKEN.";
			case HttpURLConnection.HTTP_FORBIDDEN -> "The logged-in user is not allowed to do that (403).";
			case HttpURLConnection.HTTP_NOT_FOUND ->
				("There is no endpoint '%s' (404). Is the URL right, and is the endpoint exposed by"
						+ " management.endpoints.web.exposure.include?")
					.formatted(endpoint);
			case HttpURLConnection.HTTP_BAD_METHOD ->
				"Writing is off there (405): management.endpoint.%s.access is not unrestricted.".formatted(endpoint);
			case TOO_MANY_REQUESTS ->
				"Too many logins from here failed (429): wait a few minutes, and give the right password.";
			default -> {
				if (status >= 300 && status < 400) {
					yield "The service leads elsewhere (%s), perhaps to a page to log in. Redirections are not followed."
						.formatted(status);
				}
				yield "The service answered with status %s.".formatted(status);
			}
		};
	}

}
