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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshotReader;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * To users without the tag monitoring the management API shows their own connections and
 * consumers alone, and does not say so.
 */
class BrokerSnapshotReaderTests {

	private HttpServer server;

	private volatile String tags = "[]";

	/** What the list with numbers has, and what is besides. */
	private volatile List<String> queues = List.of("[]", "[]");

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			byte[] bytes = answer(exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, bytes.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(bytes);
			}
		});
		this.server.start();
	}

	private String answer(URI asked) {
		return switch (asked.getRawPath()) {
			case "/api/whoami" -> "{\"name\":\"watcher\",\"tags\":%s}".formatted(this.tags);
			case "/api/queues/%2F" -> queues(asked.getRawQuery());
			case "/api/overview" -> "{\"rabbitmq_version\":\"4.3.6\"}";
			default -> "[]";
		};
	}

	private String queues(String query) {
		String queues = this.queues.get(query.contains("enable_queue_totals") ? 0 : 1);
		return query.contains("page=") ? "{\"items\":%s,\"page_count\":1,\"total_count\":1}".formatted(queues) : queues;
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private BrokerSnapshot read() {
		return new BrokerSnapshotReader(
				new ManagementClient(new ManagementSettings("http://127.0.0.1:" + this.server.getAddress().getPort(),
						"watcher", "w", "/", null)),
				ExpectedTopology.of(TestTypes.application(BrokenBroker.types(), true), null))
			.read();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"management\"]", "[\"not-monitoring\"]", "\"policymaker,management\"", "[]" })
	void withoutTheTagNobodyIsSaidToConsumeNothing(String without) {
		this.tags = without;
		BrokerSnapshot live = read();
		assertThat(live.consumers()).isEmpty();
		assertThat(live.unexamined()).contains(
				"consumers: user 'watcher' sees its own only, and needs the tag monitoring to see those of others",
				"connections: user 'watcher' sees its own only, and needs the tag monitoring to see those of others");
	}

	@Test
	void aQueueWhoseNodeIsDownIsThere() {
		String counted = "{\"name\":\"order\",\"type\":\"classic\",\"durable\":true,\"messages\":3,\"messages_ready\":3,\"state\":\"running\"}";
		this.queues = List.of("[%s]".formatted(counted),
				"[%s,{\"name\":\"order.parking-lot\",\"type\":\"classic\",\"durable\":true,\"node\":\"rabbit@three\",\"state\":\"down\",\"arguments\":{\"x-queue-type\":\"classic\"}}]"
					.formatted(counted.replaceAll("\"messages[^,]+,", "")));
		BrokerSnapshot live = read();
		assertThat(live.queues().get("order").messages()).isEqualTo(3);
		assertThat(live.queues().get("order.parking-lot").messages()).isEqualTo(-1);
		ExpectedTopology expected = ExpectedTopology.of(TestTypes.application(BrokenBroker.types(), true), null);
		assertThat(new QueueStateCheck().examine(expected, live)).singleElement().satisfies((finding) -> {
			assertThat(finding.code()).isEqualTo("queue-unavailable");
			assertThat(finding.fact()).contains("'order.parking-lot' is in state 'down'");
			assertThat(finding.remedy()).contains("rabbit@three");
		});
		assertThat(new QueueCheck().examine(expected, live))
			.filteredOn((finding) -> finding.code().equals("queue-missing"))
			.extracting(Finding::subject)
			.isNotEmpty()
			.doesNotContain("order.parking-lot");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"monitoring\"]", "\"management,administrator\"" })
	void withTheTagConsumersAreKnown(String with) {
		this.tags = with;
		BrokerSnapshot live = read();
		assertThat(live.consumers()).isPresent();
		assertThat(live.unexamined()).noneMatch((what) -> what.startsWith("con"));
	}

}
