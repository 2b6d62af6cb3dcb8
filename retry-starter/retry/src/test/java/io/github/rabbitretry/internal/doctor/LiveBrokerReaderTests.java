/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * To users without the tag monitoring the management API shows their own connections and
 * consumers alone, and does not say so.
 */
class LiveBrokerReaderTests {

	private HttpServer server;

	private volatile String tags = "[]";

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			byte[] bytes = answer(exchange.getRequestURI().getRawPath()).getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, bytes.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(bytes);
			}
		});
		this.server.start();
	}

	private String answer(String path) {
		return switch (path) {
			case "/api/whoami" -> "{\"name\":\"watcher\",\"tags\":%s}".formatted(this.tags);
			case "/api/queues/%2F" -> "{\"items\":[],\"page_count\":1,\"total_count\":0}";
			case "/api/overview" -> "{\"rabbitmq_version\":\"4.3.6\"}";
			default -> "[]";
		};
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private LiveBroker read() {
		return new LiveBrokerReader(new ManagementClient(
				new ManagementSettings("http://127.0.0.1:" + this.server.getAddress().getPort(), "watcher", "w", "/")),
				new ExpectedTopology(BrokenBroker.policies(), true, true, false, null))
			.read();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"management\"]", "[\"not-monitoring\"]", "\"policymaker,management\"", "[]" })
	void withoutTheTagNobodyIsSaidToConsumeNothing(String without) {
		this.tags = without;
		LiveBroker live = read();
		assertThat(live.consumers()).isEmpty();
		assertThat(live.unexamined()).contains(
				"consumers: user 'watcher' sees its own only, and needs the tag monitoring to see those of others",
				"connections: user 'watcher' sees its own only, and needs the tag monitoring to see those of others");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"monitoring\"]", "\"management,administrator\"" })
	void withTheTagConsumersAreKnown(String with) {
		this.tags = with;
		LiveBroker live = read();
		assertThat(live.consumers()).isPresent();
		assertThat(live.unexamined()).noneMatch((what) -> what.startsWith("con"));
	}

}
