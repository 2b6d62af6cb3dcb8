/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A tiny client of the management plugin's HTTP API. Paths start with {@code /api/} and
 * are sent as they are: a virtual host {@code /} is written {@code %2F}.
 */
public final class Management {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final Pattern NAME = Pattern.compile("\"name\":\"([\\w.-]+)\"");

	/** What publishes and takes messages; all else can be sent twice. */
	private static final Pattern MESSAGES = Pattern.compile("/(publish|get)$");

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(TIMEOUT)
		.build();

	private final String base;

	private final String authorization;

	Management(URI uri, String username, String password) {
		this.base = "%s://%s%s".formatted(uri.getScheme(), withoutUser(uri.getRawAuthority()),
				uri.getRawPath().replaceFirst("/+$", ""));
		this.authorization = "Basic "
				+ Base64.getEncoder().encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
	}

	private static String withoutUser(String authority) {
		return authority.substring(authority.lastIndexOf('@') + 1);
	}

	/**
	 * Reads.
	 * @param path such as {@code /api/overview}
	 * @return the answer, JSON
	 * @throws IllegalStateException if the answer is not a success
	 */
	public String get(String path) {
		return send("GET", path, BodyPublishers.noBody(), false);
	}

	/**
	 * Deletes; what is not there counts as deleted.
	 * @param path such as {@code /api/queues/%2F/orders}
	 * @throws IllegalStateException if the answer is neither a success nor 404
	 */
	public void delete(String path) {
		send("DELETE", path, BodyPublishers.noBody(), true);
	}

	/**
	 * Deletes queues and exchanges of the virtual host {@code /}, so that a test leaves
	 * none to another one.
	 * @param prefix what their names begin with
	 * @throws IllegalStateException if an answer is not a success
	 */
	public void deleteAll(String prefix) {
		for (String kind : List.of("/api/queues/%2F", "/api/exchanges/%2F")) {
			NAME.matcher(get(kind + "?columns=name"))
				.results()
				.map((name) -> name.group(1))
				.filter((name) -> name.startsWith(prefix))
				.forEach((name) -> delete(kind + "/" + name));
		}
	}

	/**
	 * Creates or replaces.
	 * @param path such as {@code /api/queues/%2F/orders}
	 * @param json the body
	 * @return the answer, mostly empty
	 * @throws IllegalStateException if the answer is not a success
	 */
	public String put(String path, String json) {
		return send("PUT", path, BodyPublishers.ofString(json), false);
	}

	/**
	 * Does what the path says.
	 * @param path such as {@code /api/queues/%2F/orders/get}
	 * @param json the body
	 * @return the answer, JSON
	 * @throws IllegalStateException if the answer is not a success
	 */
	public String post(String path, String json) {
		return send("POST", path, BodyPublishers.ofString(json), false);
	}

	private String send(String method, String path, BodyPublisher body, boolean mayBeAbsent) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.base + path))
			.timeout(TIMEOUT)
			.header("Authorization", this.authorization)
			.header("Content-Type", "application/json")
			.method(method, body)
			.build();
		HttpResponse<String> response = answer(request);
		int status = response.statusCode();
		if (status / 100 != 2 && !(mayBeAbsent && status == 404)) {
			throw new IllegalStateException("%s %s was answered with %s instead of a success: %s".formatted(method,
					request.uri(), status, response.body()));
		}
		return response.body();
	}

	private HttpResponse<String> answer(HttpRequest request) {
		try {
			return sent(request);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(
					"%s %s got no answer: %s".formatted(request.method(), request.uri(), ex.getMessage()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for " + request.uri(), ex);
		}
	}

	/**
	 * Sends once more what does the same when it is done twice: RabbitMQ may have closed
	 * the connection meanwhile.
	 */
	private HttpResponse<String> sent(HttpRequest request) throws IOException, InterruptedException {
		try {
			return this.http.send(request, BodyHandlers.ofString());
		}
		catch (HttpTimeoutException ex) {
			throw ex;
		}
		catch (IOException ex) {
			if (MESSAGES.matcher(request.uri().getPath()).find()) {
				throw ex;
			}
			return this.http.send(request, BodyHandlers.ofString());
		}
	}

}
