/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The command line with a real broker, a service and its PostgreSQL.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineIntegrationTests {

	private static final String QUEUE = "cli.order";

	private static final String[] WHO = { "--because", "HANDLER_FIXED", "--user", "ops" };

	private final String database = Database.shared().createDatabase();

	private final JdbcClient jdbc = JdbcClient
		.create(new DriverManagerDataSource(this.database, Database.shared().username(), Database.shared().password()));

	@TempDir
	static Path folder;

	private Path withLedger = Path.of("");

	private Queues queues;

	CommandLineIntegrationTests() throws Exception {
		this.queues = new Queues();
	}

	@BeforeAll
	void configure() throws Exception {
		String broker = Broker.shared().amqpUri().toString();
		this.withLedger = OrderService.config(folder.resolve("application.yml"), QUEUE, broker, """
				  datasource.url: %s
				  datasource.username: %s
				  datasource.password: %s
				""".formatted(this.database, Database.shared().username(), Database.shared().password()), "");
	}

	@AfterAll
	void close() throws Exception {
		this.queues.close();
	}

	@BeforeEach
	void breakIt() {
		OrderService.broken = true;
	}

	@AfterEach
	void deleteQueues() {
		Broker.shared().management().deleteAll(QUEUE);
	}

	private static Shell.Result run(String... arguments) {
		return new Shell(new ServiceConnector((note) -> {
		})).realTime().run(arguments);
	}

	private static String[] with(String[] first, String... second) {
		return Stream.concat(Arrays.stream(first), Arrays.stream(second)).toArray(String[]::new);
	}

	private static JsonNode json(Shell.Result result) {
		assertThat(result.exitCode()).as(result.err()).isZero();
		return JsonMapper.shared().readTree(result.out());
	}

	private long parked() {
		return this.jdbc.sql("select count(*) from rabbit_retry_parked where state = 'PARKED'")
			.query(Long.class)
			.single();
	}

	private void park(int messages) throws Exception {
		// those of another test
		this.jdbc.sql("delete from rabbit_retry_parked").update();
		this.queues.send(QUEUE, messages);
		await().atMost(Duration.ofSeconds(30)).until(() -> parked() == messages);
	}

	@Test
	void throughAServiceMessagesAreFoundTriedReplayedAndDiscarded() throws Exception {
		try (OrderService service = OrderService.start(this.withLedger,
				"management.endpoint.parkinglot.access=unrestricted",
				"management.endpoint.replays.access=unrestricted")) {
			park(6);
			String[] url = { "--url", service.url() };
			JsonNode page = json(run(with(url, "parked", "list", "--type", "CreateOrder", "--reason", "NO_SUCH_ORDER",
					"--size", "4", "--count", "--output", "json")));
			assertThat(page.path("total").asInt()).isEqualTo(6);
			assertThat(page.path("messages")).hasSize(4);
			Shell.Result table = run(with(url, "parked", "list"));
			assertThat(table.out()).contains("NO_SUCH_ORDER", "m-5").hasLineCount(7);
			String id = page.path("messages").path(0).path("id").asString();
			Shell.Result shown = run(with(url, "parked", "show", id, "--payload"));
			assertThat(shown.out()).contains("a\\u001b[2Jb\\u000d\\u000ac", "{\"n\":").doesNotContain("\u001b", "\r");
			assertThat(run(with(url, "parked", "groups")).out()).contains("    6  ");

			Shell.Result tried = run(with(with(url, "replay", "--queue", QUEUE, "--max", "10", "--dry-run"), WHO));
			assertThat(tried.out()).contains("would replay     6");
			assertThat(parked()).isEqualTo(6);

			Shell.Result stopped = run(with(
					with(url, "replay", "--queue", QUEUE, "--expect", "10", "--canary", "2", "--rate", "unlimited"),
					WHO));
			assertThat(stopped.exitCode()).as(stopped.err()).isEqualTo(1);
			assertThat(stopped.out()).contains("STOPPED", "CANARY_FAILED");
			await().atMost(Duration.ofSeconds(30)).until(() -> parked() == 6);

			OrderService.broken = false;
			Shell.Result replayed = run(with(
					with(url, "replay", "--queue", QUEUE, "--expect", "10", "--canary", "2", "--rate", "unlimited"),
					WHO));
			assertThat(replayed.exitCode()).as(replayed.err()).isZero();
			assertThat(replayed.out()).containsPattern("succeeded +6");
			assertThat(parked()).isZero();

			String replay = json(run(with(url, "jobs", "--size", "1", "--output", "json"))).path("replays")
				.path(0)
				.path("replay")
				.path("id")
				.asString();
			assertThat(run(with(url, "jobs", "items", replay, "--state", "SUCCEEDED")).out()).hasLineCount(7);
			assertThat(run(with(with(url, "jobs", "abort", replay), WHO)).exitCode()).as("has ended").isEqualTo(3);
			assertThat(run(with(url, "audit", "--replay-id", replay)).out()).contains("HANDLER_FIXED", "FINISH");

			OrderService.broken = true;
			park(2);
			String[] recent = { "--type", "CreateOrder", "--text", "no_such", "--from", "2h", "--expect", "9" };
			assertThat(run(with(with(with(url, "parked", "discard"), recent), WHO)).out())
				.startsWith("2 discarded (audit ");
			assertThat(parked()).isZero();
			moves(url, recent);
			refusals(url);
		}
	}

	private void moves(String[] url, String[] recent) throws Exception {
		park(2);
		String target = QUEUE + ".moved";
		this.queues.declare(target);
		assertThat(run(with(with(with(url, "replay", "--move"), recent), WHO)).err()).contains("move has no target");
		Shell.Result moved = run(with(with(with(url, "replay", "--target", target, "--move"), recent), WHO));
		assertThat(moved.exitCode()).as(moved.err()).isZero();
		assertThat(moved.out()).containsPattern("move +true").containsPattern("succeeded +2");
		assertThat(this.queues.drain(target)).containsExactly("m-0", "m-1");
		assertThat(parked()).isZero();
	}

	private static void refusals(String[] url) {
		assertThat(run(with(url, "parked", "show", "424242")).exitCode()).isEqualTo(4);
		assertThat(run(with(url, "jobs", "show", "replay-20260101-424242")).exitCode()).isEqualTo(4);
		assertThat(run(with(with(url, "replay", "--expect", "5"), WHO)).err()).contains("say --all");
		assertThat(run(with(url, "replay", "--all", "--expect", "5", "--because", "x")).err())
			.contains("--user is missing");
		for (String[] hostile : List.of(new String[] { "--expect", "9", "--max", "-1" },
				new String[] { "--expect", "9", "--rate", "NaN" },
				new String[] { "--expect", "9", "--reason", "a\r\nX: b" },
				new String[] { "--expect", "9", "--reason", "x".repeat(300) },
				new String[] { "--expect", "9", "--from", "yesterday" },
				new String[] { "--expect", "9", "--target", "no\u0000where" })) {
			Shell.Result result = run(with(with(with(url, "replay", "--all"), hostile), WHO));
			assertThat(result.exitCode()).as(Arrays.toString(hostile)).isEqualTo(3);
			assertThat(result.out()).isEmpty();
		}
		assertThat(run(with(url, "parked", "list", "--reason", "' OR 1=1 --")).out()).isEmpty();
	}

	@Test
	void theDoctorFindsTheSameBothWaysAndLeavesTheLedgerAlone() throws Exception {
		URI management = Broker.shared().managementUri().orElseThrow();
		String url = "rabbit-retry.broker.management-url=http://%s:%d".formatted(management.getHost(),
				management.getPort());
		try (OrderService service = OrderService.start(this.withLedger, url)) {
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				Shell.Result result = run("--url", service.url(), "doctor");
				assertThat(result.out()).as(result.err())
					.contains("INFO  permission-broad")
					.doesNotContain("ERROR  ", "WARNING  ");
				assertThat(result.exitCode()).isZero();
				assertThat(result.err()).contains("Examined by management API");
			});
			Shell.Result denied = run(with(
					with(new String[] { "--url", service.url() }, "parked", "discard", "--all", "--expect", "9"), WHO));
			assertThat(denied.exitCode()).as("access is read-only by default").isEqualTo(3);
			assertThat(denied.err()).contains("management.endpoint.parkinglot.access");
			assertThat(run("--url", service.url(), "topology", "--type", "CreateOrder").out())
				.containsPattern("CreateOrder +work +" + QUEUE + " +0 ");
			Path more = Files.writeString(folder.resolve("management.yml"), url.replace("=", ": "));
			Shell.Result configured = run("doctor", "--config", this.withLedger.toString(), "--config",
					more.toString());
			assertThat(configured.out()).as(configured.err())
				.contains("INFO  permission-broad")
				.doesNotContain("ERROR  ", "WARNING  ");
			Shell.Result direct = run("--config", this.withLedger.toString(), "topology", "--diagram");
			assertThat(direct.exitCode()).as(direct.err()).isZero();
			assertThat(direct.out()).contains("%% CreateOrder", "flowchart LR");
		}
	}

}
