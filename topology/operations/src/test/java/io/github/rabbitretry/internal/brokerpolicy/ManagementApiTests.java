/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ManagementApiTests {

	private static final String SECRET = "s3cret";

	private HttpServer server;

	private final Queue<String> asked = new ConcurrentLinkedQueue<>();

	private volatile int status = 200;

	private volatile String body = "[]";

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			this.asked.add(exchange.getRequestURI().getRawPath());
			byte[] bytes = this.body.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/elsewhere");
			exchange.sendResponseHeaders(this.status, bytes.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(bytes);
			}
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void readsUserPoliciesAndOperatorPoliciesOfTheVirtualHost() {
		this.body = """
				[{"vhost":"a/b","name":"p","pattern":"^q","apply-to":"queues","definition":{"max-length":40},"priority":3},
				{"name":"not understood","pattern":"(","apply-to":"queues","definition":{},"priority":3}, 5]""";
		assertThat(api().policies().policies()).hasSize(2)
			.allSatisfy((policy) -> assertThat(policy.definition()).isEqualTo(Map.of("max-length", 40L)))
			.extracting(BrokerPolicy::description)
			.containsExactly("policy 'p'", "operator policy 'p'");
		assertThat(this.asked).containsExactly("/api/policies/a%2Fb%20c", "/api/operator-policies/a%2Fb%20c");
		assertThat(api().policies().unreadable()).extracting(BrokerPolicy::name).containsOnly("not understood");
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 401, 403, 404, 500 })
	void anotherStatusMeansThatNothingIsKnown(int status) {
		this.status = status;
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> api().policies())
			.withMessageContaining("HTTP status " + status)
			.withMessageContaining("/api/policies/")
			.withMessageNotContaining(SECRET);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "401|Not management user|User 'guest' needs the tag management",
			"401|Not monitor user|User 'guest' needs the tag monitoring to see nodes, and consumers",
			"401|Not administrator user|User 'guest' needs the tag administrator to see users and their permissions",
			"401|User not authorised to access virtual host|User 'guest' has no permissions for virtual host 'a/b c'",
			"404|Not Found|User 'guest' may have no permissions for virtual host 'a/b c'",
			"401|Not_Authorized|is refused (Not_Authorized). Check its password",
			"403||is refused. Check its password, the tag management, and its permissions for 'a/b c'",
			"400|nonsense|HTTP status 400. nonsense" })
	void whatTheUserLacksIsTold(int status, @Nullable String reason, String told) {
		this.status = status;
		this.body = Json.write(Map.of("error", "not_authorised", "reason", (reason != null) ? reason : ""));
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> api().policies())
			.withMessageContaining(told);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "<html>", "{}", "[{" })
	void anAnswerThatIsNoListMeansThatNothingIsKnown(String body) {
		this.body = body;
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> api().policies());
	}

	@Test
	void aPageOfAnotherServerIsCalledSo() {
		this.body = "<html>";
		assertThatExceptionOfType(ManagementUnavailableException.class).isThrownBy(() -> api().policies())
			.withMessageContaining("/api/policies/")
			.withMessageContaining("no JSON");
	}

	@Test
	void aServerThatDoesNotAnswerIsNotWaitedForLong() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Instant begin = Instant.now();
			assertThatExceptionOfType(ManagementUnavailableException.class)
				.isThrownBy(() -> api(silent.getLocalPort()).policies())
				.withMessageContaining("timed out");
			assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(10));
		}
	}

	private ManagementApi api() {
		return api(this.server.getAddress().getPort());
	}

	private static ManagementApi api(int port) {
		return new ManagementApi(new ManagementClient(
				new ManagementSettings("http://127.0.0.1:" + port, "guest", SECRET, "a/b c", null)));
	}

}
