/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A proxy that strips a prefix without forwarding it, and that can hold a response back.
 */
final class PrefixProxy implements AutoCloseable {

	private static final String PREFIX = "/ops/orders";

	/** Those of one connection, and those that the client sets itself. */
	private static final Set<String> OWN = Set.of("connection", "content-length", "host", "transfer-encoding",
			"upgrade");

	private final HttpClient http = HttpClient.newHttpClient();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	private final String target;

	private volatile String policy = "";

	private volatile Held held = new Held("none", new CountDownLatch(0), new CountDownLatch(0));

	PrefixProxy(String target) throws IOException {
		this.target = target;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext(PREFIX + "/", this::forward);
		this.server.start();
	}

	String address(String path) {
		return "http://127.0.0.1:%d%s%s".formatted(this.server.getAddress().getPort(), PREFIX, path);
	}

	/**
	 * Adds a Content-Security-Policy to that of each answer.
	 * @param policy the policy
	 */
	void restrict(String policy) {
		this.policy = policy;
	}

	/**
	 * Keeps back what is answered to a request.
	 * @param path the end of its path
	 * @return what to wait for and to release
	 */
	Held hold(String path) {
		this.held = new Held(path, new CountDownLatch(1), new CountDownLatch(1));
		return this.held;
	}

	private void forward(HttpExchange exchange) throws IOException {
		URI requested = exchange.getRequestURI();
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create(this.target + requested.toString().substring(PREFIX.length())))
			.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
		exchange.getRequestHeaders().forEach((name, values) -> {
			if (!OWN.contains(name.toLowerCase())) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		try (exchange) {
			HttpResponse<byte[]> response = this.http.send(request.build(), BodyHandlers.ofByteArray());
			Held now = this.held;
			if (requested.getPath().endsWith(now.path)) {
				now.answered.countDown();
				now.released.await(60, TimeUnit.SECONDS);
			}
			response.headers().map().forEach((name, values) -> {
				if (!OWN.contains(name.toLowerCase())) {
					exchange.getResponseHeaders().put(name, new ArrayList<>(values));
				}
			});
			if (!this.policy.isEmpty()) {
				exchange.getResponseHeaders().add("Content-Security-Policy", this.policy);
			}
			exchange.sendResponseHeaders(response.statusCode(),
					(response.body().length > 0) ? response.body().length : -1);
			if (response.body().length > 0) {
				exchange.getResponseBody().write(response.body());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/**
	 * An answer that is kept back.
	 *
	 * @param path the end of the path
	 * @param answered open once the service has answered
	 * @param released lets the answer through
	 */
	record Held(String path, CountDownLatch answered, CountDownLatch released) {

		void await() throws InterruptedException {
			if (!this.answered.await(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("no request for " + this.path);
			}
		}

		void release() {
			this.released.countDown();
		}

	}

}
