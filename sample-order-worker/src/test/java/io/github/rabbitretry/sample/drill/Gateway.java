/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payment gateway, a process of another team. It captures once for each idempotency
 * key, and writes down what it was asked for. {@code tok_timeout_3} is not captured and
 * not answered in time three times; {@code tok_slow} is captured at once, but answered
 * late each time.
 */
final class Gateway implements AutoCloseable {

	/** Twice what the worker waits for. */
	private static final Duration LATE = Duration.ofMillis(1600);

	private static final String TIMEOUT = "tok_timeout_";

	private final JsonMapper json = new JsonMapper();

	private final Map<String, List<Long>> requests = new ConcurrentHashMap<>();

	private final Map<String, Set<String>> captures = new ConcurrentHashMap<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicInteger refusals = new AtomicInteger();

	private final HttpServer server;

	private volatile boolean down;

	Gateway() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/captures", this::capture);
		this.server.start();
	}

	URI address() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	/** Refuses all requests from now on, or none. */
	void down(boolean down) {
		this.down = down;
	}

	/** How many requests it has refused because it was down. */
	int refusals() {
		return this.refusals.get();
	}

	/** When it was asked for an order's money. */
	List<Long> requests(String orderId) {
		return List.copyOf(this.requests.getOrDefault(orderId, List.of()));
	}

	/** How often an order's money was captured. */
	int captures(String orderId) {
		return this.captures.getOrDefault(orderId, Set.of()).size();
	}

	private void capture(HttpExchange exchange) {
		try (exchange) {
			if (this.down) {
				this.refusals.incrementAndGet();
				exchange.sendResponseHeaders(503, -1);
				return;
			}
			JsonNode payment = this.json.readTree(exchange.getRequestBody());
			String orderId = payment.path("orderId").asString();
			String card = payment.path("card").asString();
			List<Long> asked = this.requests.computeIfAbsent(orderId, (id) -> new CopyOnWriteArrayList<>());
			asked.add(System.nanoTime());
			boolean down = card.startsWith(TIMEOUT)
					&& asked.size() <= Integer.parseInt(card.substring(TIMEOUT.length()));
			if (!down) {
				this.captures.computeIfAbsent(orderId, (id) -> ConcurrentHashMap.newKeySet())
					.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
			}
			if (down || card.equals("tok_slow")) {
				pause(LATE);
			}
			byte[] answer = "{\"status\":\"CAPTURED\"}".getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders(down ? 503 : 200, answer.length);
			exchange.getResponseBody().write(answer);
		}
		catch (IOException ex) {
			// the worker no longer waits, as it should be when the answer is late
		}
		catch (RuntimeException ex) {
			throw new UncheckedIOException(new IOException("a request that is none", ex));
		}
	}

	private static void pause(Duration time) {
		long deadline = System.nanoTime() + time.toNanos();
		while (deadline - System.nanoTime() > 0) {
			LockSupport.parkNanos(deadline - System.nanoTime());
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
