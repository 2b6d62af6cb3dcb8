/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.test.ParkingLotMessage;
import io.github.rabbitretry.test.ParkingLotReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's service: its three files, and what it logs and parks.
 */
class ReadmeIntegrationTests {

	private static final Pattern DEPENDENCY = Pattern.compile("<artifactId>(rabbit-retry[\\w-]*)</artifactId>");

	private final Page readme = Page.of("README.md");

	private final SnippetService service;

	ReadmeIntegrationTests(@TempDir Path folder) {
		this.service = new SnippetService(folder, "com.example.orders.OrderService");
	}

	@AfterEach
	void stop() {
		this.service.close();
		Broker.shared().management().deleteAll("orders");
	}

	@Test
	void theServiceLogsAndParksWhatThePageSays() throws Exception {
		for (String file : Stream.of("java", "yaml")
			.flatMap((language) -> this.readme.blocks(language).stream())
			.toList()) {
			this.service.write(file.lines().findFirst().orElseThrow().replaceFirst("\\S+ ", ""), file);
		}
		this.service.start(false);
		this.readme.blocks("text").get(0).lines().forEach((line) -> this.service.awaitLog(pattern(line)));
		assertThat(headersOfTheParkedMessage()).containsAllEntriesOf(headersOnThePage());
	}

	@Test
	void theCommandsAreThoseOfTheRepository() {
		assertThat(this.readme.text()).contains("| `sample-order-worker/demo` |", "| `mvn verify` |",
				"`src/testbed/run`", "(CONTRIBUTING.md)");
		assertThat(List.of("sample-order-worker/demo", "src/testbed/run"))
			.allSatisfy((command) -> assertThat(Page.ROOT.resolve(command)).isExecutable());
	}

	@Test
	void theBuildFileHasTheVersionsOfThisBuild() {
		String pom = Page.of("pom.xml").text();
		String readme = this.readme.blocks("xml").get(0);
		assertThat(DEPENDENCY.matcher(readme).results().map((name) -> name.group(1))).isNotEmpty()
			.allMatch((name) -> pom.contains("<artifactId>%s</artifactId>".formatted(name)));
		assertThat(Pattern.compile("<version>([^<]+)</version>")
			.matcher(readme)
			.results()
			.map((version) -> version.group(1))
			.filter((version) -> !version.equals("1"))).hasSize(2)
			.allMatch((version) -> pom.contains("<version>%s</version>".formatted(version)));
	}

	private Map<String, String> headersOnThePage() {
		return this.readme.blocks("text")
			.get(1)
			.lines()
			.map((line) -> line.split(": ", 2))
			.collect(Collectors.toMap((header) -> header[0], (header) -> masked(header[1])));
	}

	private static Map<String, String> headersOfTheParkedMessage() throws Exception {
		CachingConnectionFactory connections = new CachingConnectionFactory();
		try {
			connections.setUri(Broker.shared().amqpUri());
			ParkingLotMessage parked = ParkingLotReader.in(connections, "orders.parking-lot")
				.awaitOne("RETRY_BUDGET_EXHAUSTED", Duration.ofSeconds(60));
			Map<String, String> headers = new TreeMap<>();
			parked.headers().forEach((name, value) -> headers.put(name, masked(String.valueOf(value))));
			return headers;
		}
		finally {
			connections.destroy();
		}
	}

	/** Three dots stand for anything. */
	private static Pattern pattern(String line) {
		List<String> parts = List.of(line.split("\\.\\.\\.", -1));
		return Pattern.compile(parts.stream().map(Pattern::quote).collect(Collectors.joining(".*")));
	}

	private static String masked(String value) {
		return value.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME");
	}

}
