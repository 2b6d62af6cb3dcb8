/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.cli.service.Answers;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The endpoints of a running service.
 */
public final class HttpService implements Service {

	private static final int LARGEST_ANSWER = 64 * 1024 * 1024;

	private static final Duration CONNECT = Duration.ofSeconds(10);

	private final ActuatorUrl url;

	private final @Nullable String authorization;

	private final Duration timeout;

	private final HttpClient client;

	/**
	 * Creates the way.
	 * @param url where the actuator is
	 * @param authorization the header's value, or {@code null} for none
	 * @param timeout how long to wait for an answer
	 */
	public HttpService(ActuatorUrl url, @Nullable String authorization, Duration timeout) {
		this.url = url;
		this.authorization = authorization;
		this.timeout = timeout;
		// an answer that is redirected elsewhere is none; credentials stay here
		this.client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.connectTimeout(CONNECT.compareTo(timeout) < 0 ? CONNECT : timeout)
			.build();
	}

	@Override
	public JsonNode ask(Request request) {
		HttpResponse<byte[]> response = send(request);
		return Answers.check(request, response.statusCode(), json(response.body()));
	}

	private static @Nullable JsonNode json(byte[] body) {
		try {
			JsonNode node = JsonMapper.shared().readTree(body);
			return node.isMissingNode() ? null : node;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private HttpResponse<byte[]> send(Request request) {
		CompletableFuture<HttpResponse<byte[]>> answer = this.client.sendAsync(http(request),
				(response) -> new BoundedBody(LARGEST_ANSWER));
		try {
			// the client's own timeout ends where the body begins
			return answer.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			answer.cancel(true);
			throw unavailable("No whole answer from %s within %d s.%s".formatted(this.url, this.timeout.toSeconds(),
					(request.method() != Request.Method.GET) ? " Whether it was done is not known." : ""));
		}
		catch (ExecutionException ex) {
			throw unavailable("No answer from %s: %s.".formatted(this.url, reason(String.valueOf(ex.getCause()), ex)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ServiceException(ExitCode.INTERRUPTED, "Interrupted.");
		}
	}

	private static String reason(String otherwise, ExecutionException failure) {
		Throwable cause = failure.getCause();
		if (cause instanceof BoundedBody.TooLargeException) {
			return "the answer is larger than 64 MiB";
		}
		if (cause instanceof java.net.ConnectException) {
			return "the connection is refused, or the host is unknown";
		}
		return (cause instanceof IOException && cause.getMessage() != null) ? cause.getMessage() : otherwise;
	}

	private static ServiceException unavailable(String message) {
		return new ServiceException(ExitCode.UNAVAILABLE, message);
	}

	private HttpRequest http(Request request) {
		boolean body = request.method() == Request.Method.POST;
		URI uri = this.url.of(request.path(), body ? Map.of() : request.arguments());
		HttpRequest.Builder builder = HttpRequest.newBuilder(uri).header("Accept", "application/json");
		if (this.authorization != null) {
			builder.header("Authorization", this.authorization);
		}
		if (body) {
			return builder.header("Content-Type", "application/json")
				.POST(BodyPublishers.ofByteArray(JsonMapper.shared().writeValueAsBytes(request.arguments())))
				.build();
		}
		return builder.method(request.method().name(), BodyPublishers.noBody()).build();
	}

	@Override
	public String withoutUs(String replayId) {
		return "Replay %s goes on in the service. Look again with: jobs follow %s".formatted(replayId, replayId);
	}

	@Override
	public void close() {
		// the client's threads are daemons
	}

}
