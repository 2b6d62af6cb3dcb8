/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A management API that is up later than the application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExistingQueueCheckTests {

	private static final String DEAD_LETTERS = "\"x-dead-letter-exchange\":\"order.dlx\",\"x-dead-letter-routing-key\":\"order.dlq\"";

	private volatile int status = 503;

	private volatile String arguments = "";

	@Test
	void aDeadLetterExchangeIsGoneOnlyIfItWasThere(CapturedOutput output) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			String queue = "{\"type\":\"classic\",\"durable\":true,\"arguments\":{%s}}".formatted(this.arguments);
			boolean queues = exchange.getRequestURI().getPath().startsWith("/api/queues");
			byte[] body = (queues ? queue : "[]").getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(this.status, body.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(body);
			}
		});
		server.start();
		ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
		ExistingQueueCheck check = check(thread, "http://127.0.0.1:" + server.getAddress().getPort());
		try {
			check.start();
			assertThat(output).contains("Whether existing queue 'order' has a dead-letter exchange is not known");
			this.status = 200;
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("Existing queue 'order' has no dead-letter exchange"));
			assertThat(check.problems()).isEmpty();
			this.arguments = DEAD_LETTERS;
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("has its dead-letter exchange again"));
			this.arguments = "";
			Awaitility.await()
				.untilAsserted(() -> assertThat(check.problems()).extracting(HealthProblem::code)
					.containsExactly("dead-letter-exchange-gone"));
		}
		finally {
			thread.shutdownNow();
			server.stop(0);
		}
	}

	private static ExistingQueueCheck check(ScheduledExecutorService thread, String url) {
		MessageTopology topology = MessageTopology.of("order")
			.workQueue(WorkQueueMode.EXISTING)
			.delays(List.of(Duration.ofSeconds(1)))
			.longestDelay(Duration.ofHours(1))
			.build();
		CachingConnectionFactory unreachable = new CachingConnectionFactory("localhost", 1);
		return new ExistingQueueCheck(
				new DeclaredBrokerAccess(unreachable, unreachable, new ManagementAccess(url, "user", "secret")),
				List.of(topology), new BrokerPolicySettings(BrokerPolicyMode.WARN, Duration.ofMillis(50), true),
				thread);
	}

}
