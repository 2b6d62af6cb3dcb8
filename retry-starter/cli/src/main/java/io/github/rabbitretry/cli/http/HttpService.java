/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.Answers;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The endpoints of a running service. {@link HttpURLConnection} starts in a tenth of the
 * processor time that {@code java.net.http} needs.
 */
public final class HttpService implements Service {

	private static final int LARGEST_ANSWER = 64 * 1024 * 1024;

	private static final int CONNECT_MILLIS = 10_000;

	static {
		// a request that changes something is not sent a second time without being asked
		System.setProperty("sun.net.http.retryPost", "false");
	}

	private final ActuatorUrl url;

	private final @Nullable String authorization;

	private final Duration timeout;

	private final @Nullable SSLSocketFactory sockets;

	/**
	 * Creates the way.
	 * @param url where the actuator is
	 * @param authorization the header's value, or {@code null} for none
	 * @param timeout how long to wait for an answer
	 * @param sockets for HTTPS, or {@code null} for what the JVM trusts
	 */
	public HttpService(ActuatorUrl url, @Nullable String authorization, Duration timeout,
			@Nullable SSLSocketFactory sockets) {
		this.url = url;
		this.authorization = authorization;
		this.timeout = timeout;
		this.sockets = sockets;
	}

	@Override
	public JsonNode ask(Request request) {
		URI uri = this.url.of(request.path(),
				(request.method() == Request.Method.POST) ? Map.of() : request.arguments());
		// the connection's own timeouts begin anew with each byte
		FutureTask<JsonNode> answer = new FutureTask<>(() -> answerOrTls(request, uri));
		Thread thread = new Thread(answer, "request");
		thread.setDaemon(true);
		thread.start();
		try {
			return answer.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw unavailable("No whole answer from %s within %s s.%s".formatted(this.url, this.timeout.toSeconds(),
					(request.method() != Request.Method.GET) ? " It is unknown whether it was done." : ""));
		}
		catch (ExecutionException ex) {
			Throwable cause = ex.getCause();
			if (cause instanceof ServiceException known) {
				throw known;
			}
			if (cause instanceof SSLHandshakeException) {
				throw unavailable(
						"The certificate of %s is not trusted, or is for another host (%s). If a private authority has signed it, give the authority's certificate as PEM with --ca-file or RABBIT_RETRY_CA_FILE."
							.formatted(this.url, cause.getMessage()));
			}
			throw unavailable("No answer from %s: %s.".formatted(this.url, reason(cause)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ServiceException(ExitCode.INTERRUPTED, "Interrupted.");
		}
	}

	private JsonNode answerOrTls(Request request, URI uri) throws IOException {
		try {
			return answer(request, uri);
		}
		catch (IOException ex) {
			if (!isRefused(ex)) {
				requirePlain(uri);
			}
			throw ex;
		}
	}

	private void requirePlain(URI uri) {
		if ("http".equalsIgnoreCase(uri.getScheme()) && Tls.isSpokenAt(uri)) {
			throw unavailable("This port speaks TLS: use %s.".formatted("https" + this.url.toString().substring(4)));
		}
	}

	private JsonNode answer(Request request, URI uri) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
		if (this.sockets != null && connection instanceof HttpsURLConnection secure) {
			secure.setSSLSocketFactory(this.sockets);
		}
		connection.setConnectTimeout((int) Math.min(CONNECT_MILLIS, this.timeout.toMillis()));
		// an answer that is redirected elsewhere is none; credentials stay here
		connection.setInstanceFollowRedirects(false);
		connection.setUseCaches(false);
		connection.setRequestMethod(request.method().name());
		connection.setRequestProperty("Accept", "application/json");
		if (this.authorization != null) {
			connection.setRequestProperty("Authorization", this.authorization);
		}
		if (request.method() == Request.Method.POST) {
			connection.setRequestProperty("Content-Type", "application/json");
			connection.setDoOutput(true);
			try (OutputStream body = connection.getOutputStream()) {
				body.write(JsonOutput.text(request.arguments()).getBytes(StandardCharsets.UTF_8));
			}
		}
		int status = connection.getResponseCode();
		if (status < 0) {
			throw new IOException("it is no HTTP");
		}
		JsonNode body = json(body(connection));
		if (status == HttpURLConnection.HTTP_UNAUTHORIZED && this.authorization != null) {
			throw new ServiceException(ExitCode.REFUSED,
					this.authorization.startsWith("Basic ")
							? "The service does not accept the login (401): the name or the password is wrong."
							: "The service does not accept the token (401): it is wrong, or has expired.");
		}
		if (status == HttpURLConnection.HTTP_BAD_REQUEST && body == null) {
			requirePlain(uri);
		}
		return Answers.check(request, status, body);
	}

	private static byte[] body(HttpURLConnection connection) throws IOException {
		InputStream error = connection.getErrorStream();
		if (error == null && connection.getResponseCode() >= HttpURLConnection.HTTP_BAD_REQUEST) {
			return new byte[0];
		}
		try (InputStream body = (error != null) ? error : connection.getInputStream()) {
			byte[] bytes = body.readNBytes(LARGEST_ANSWER + 1);
			if (bytes.length > LARGEST_ANSWER) {
				connection.disconnect();
				throw new IOException("the answer is larger than 64 MiB");
			}
			return bytes;
		}
	}

	private static @Nullable JsonNode json(byte[] body) {
		try {
			JsonNode node = JsonOutput.read(body);
			return node.isMissingNode() ? null : node;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static boolean isRefused(Throwable cause) {
		return cause instanceof ConnectException || cause instanceof UnknownHostException;
	}

	private static String reason(Throwable cause) {
		if (isRefused(cause)) {
			return "the connection is refused, or the host is unknown";
		}
		return (cause instanceof IOException && cause.getMessage() != null) ? cause.getMessage()
				: String.valueOf(cause);
	}

	private static ServiceException unavailable(String message) {
		return new ServiceException(ExitCode.UNAVAILABLE, message);
	}

	@Override
	public void close() {
		// the thread of a request is a daemon
	}

}
