/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
 * The operations application as a process of its own, with two services of different
 * policies, a broker and a PostgreSQL.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationsApplicationIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	@TempDir
	static Path folder;

	private final String database = Database.shared().createDatabase();

	private final JdbcClient jdbc = JdbcClient
		.create(new DriverManagerDataSource(this.database, Database.shared().username(), Database.shared().password()));

	private Service orders;

	private Service invoices;

	private ConsoleProcess console;

	@BeforeAll
	void start() throws Exception {
		this.orders = new Service("orders", this.database, "Order", "order." + UUID.randomUUID(), "broker-attempts=0");
		URI management = Broker.shared().managementUri().orElseThrow();
		Files.writeString(folder.resolve("application.yml"), """
				rabbit-retry:
				  console:
				    environment: staging
				    users:
				      viewer: {password: "{noop}secret", roles: [VIEWER]}
				      operator: {password: "{noop}secret", roles: [OPERATOR]}
				  broker.management-url: http://%s:%d
				""".formatted(management.getHost(), management.getPort()));
		this.console = ConsoleProcess.start(folder,
				Map.of("SPRING_RABBITMQ_ADDRESSES", Broker.shared().amqpUri().toString(), "SPRING_DATASOURCE_URL",
						this.database, "SPRING_DATASOURCE_USERNAME", Database.shared().username(),
						"SPRING_DATASOURCE_PASSWORD", Database.shared().password()));
		// a service that comes later
		this.invoices = new Service("invoices", this.database, "Invoice", "invoice." + UUID.randomUUID(),
				"broker-attempts=1", "retry-backoff=fixed", "initial-delay=200ms", "max-delay=200ms");
		await().atMost(LONG).until(() -> json("retryexplain").path("policies").size() == 2);
	}

	@AfterAll
	void stop() {
		Stream.of(this.console, this.orders, this.invoices).forEach((started) -> {
			try {
				started.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private Client operator() {
		return new Client(this.console.address(""), "operator");
	}

	private JsonNode json(String path) {
		return JsonMapper.shared().readTree(operator().get("/actuator/" + path).body());
	}

	private JsonNode job(String replay) {
		return json("replays/" + replay).path("replay");
	}

	private JsonNode post(String path, String json) {
		HttpResponse<String> answer = operator().post("/actuator/" + path, json);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(answer.body());
	}

	private void park(String kind, int ofEach) {
		this.orders.send(kind, ofEach);
		this.invoices.send(kind, ofEach);
		awaitCount(kind, "PARKED", 2 * ofEach);
	}

	private void awaitCount(String kind, String state, long count) {
		await().atMost(LONG).untilAsserted(() -> assertThat(count(kind, state)).isEqualTo(count));
	}

	private long count(String kind, String state) {
		return this.jdbc.sql("select count(*) from rabbit_retry_parked where message_id like ? and state = ?")
			.params(kind + "%", state)
			.query(Long.class)
			.single();
	}

	private String ids(String kind) {
		return this.jdbc.sql("select id from rabbit_retry_parked where message_id like ? order by id")
			.param(kind + "%")
			.query(Long.class)
			.list()
			.stream()
			.map(String::valueOf)
			.collect(Collectors.joining(","));
	}

	@Test
	void showsBothServicesAndFindsTheirTopologiesHealthy() throws Exception {
		park("shown", 3);
		JsonNode groups = json("parkinglot/groups").path("groups");
		assertThat(groups.findValuesAsString("owner")).contains("team-orders", "team-invoices");
		assertThat(json("retrytopology").path("messageTypes").findValuesAsString("messageType")).contains("Order",
				"Invoice");
		assertThat(json("waitingretries").path("parked").findValuesAsString("messageType")).contains("Order",
				"Invoice");

		ConsoleProcess.Ended listed = this.console.command("viewer", "parked", "list");
		assertThat(listed.exitCode()).as(listed.out()).isZero();
		assertThat(listed.out()).contains("shown-orders-0", "shown-invoices-0");
		ConsoleProcess.Ended doctor = this.console.command("viewer", "doctor");
		assertThat(doctor.exitCode()).as(doctor.out()).isZero();
		ConsoleProcess.Ended refused = this.console.command("viewer", "parked", "discard", ids("shown").split(",")[0],
				"--because", "MISTAKE", "--yes");
		assertThat(refused.exitCode()).as(refused.out()).isNotZero();
		assertThat(refused.out()).contains("OPERATOR");
		assertThat(count("shown", "PARKED")).isEqualTo(6);
	}

	/**
	 * None of the services runs when the replay begins, and one is restarted meanwhile.
	 */
	@Test
	void replaysMessagesOfServicesThatAreRestartedUnderWayAndEachOnce() {
		int ofEach = 60;
		park("restarted", ofEach);
		JsonNode dryRun = json("replays/dry-run?because=LOOK&ids=" + ids("restarted")).path("dryRun");
		assertThat(dryRun.path("replayable").asInt()).as(dryRun.toString()).isEqualTo(2 * ofEach);
		this.orders.stop();
		this.invoices.stop();
		Service.REPAIRED.add("restarted");

		String replay = post("replays", """
				{"ids": "%s", "because": "HANDLER_FIXED", "canary": "0", "rate": "10", "expect": "%d"}"""
			.formatted(ids("restarted"), 2 * ofEach)).path("replay").path("id").asString();
		this.orders.startAgain();
		this.invoices.startAgain();
		await().atMost(LONG).until(() -> handled("restarted").size() > 10);
		this.orders.stop();
		this.orders.startAgain();

		await().atMost(LONG).until(() -> job(replay).path("state").asString().equals("FINISHED"));
		awaitCount("restarted", "REPLAYED", 2 * ofEach);
		Set<String> sent = Stream.of("orders", "invoices")
			.flatMap((service) -> IntStream.range(0, ofEach).mapToObj("restarted-%s-%%d".formatted(service)::formatted))
			.collect(Collectors.toSet());
		assertThat(handled("restarted")).containsExactlyInAnyOrderElementsOf(sent);
		assertThat(json("replays/audit?replayId=" + replay).path("entries").findValuesAsString("user"))
			.contains("operator")
			// what the end of a replay is recorded as
			.isSubsetOf("operator", "rabbit-retry");
		assertThat(job(replay).path("application").asString()).isEqualTo("rabbit-retry-console");
	}

	@Test
	void keepsWhatWasTypedWhenTheSessionEnds() throws Exception {
		park("late", 1);
		try (Browser browser = new Browser()) {
			browser.open(this.console.address("/"));
			browser.logIn("operator");
			browser.awaitText("--login operator");
			browser.open(this.console.address("/actuator/retryconsole#/discard?ids=" + ids("late")));
			browser.write("Reason", "SENT_AGAIN");
			browser.endSession();
			browser.click("Discard 2 messages");
			browser.awaitText("You are not logged in, or the session has ended.");
			browser.click("Log in in a new tab");
			browser.logInInTheOtherTab("operator", "staging");
			browser.click("Discard 2 messages");
			browser.awaitText("2 messages discarded");
		}
		assertThat(json("replays/audit").path("entries").findValuesAsString("reason")).contains("SENT_AGAIN");
	}

	private static List<String> handled(String kind) {
		return List.copyOf(Service.HANDLED).stream().filter((id) -> id.startsWith(kind)).toList();
	}

	@Test
	void discardsAndRestores() {
		park("discarded", 2);
		String act = "{\"ids\":\"%s\",\"because\":\"%s\",\"expect\":\"4\"}";
		assertThat(post("parkinglot/discard", act.formatted(ids("discarded"), "SENT_AGAIN")).path("discarded").asInt())
			.isEqualTo(4);
		assertThat(count("discarded", "DISCARDED")).isEqualTo(4);
		post("parkinglot/restore", act.formatted(ids("discarded"), "NOT_THESE"));
		assertThat(count("discarded", "PARKED")).isEqualTo(4);
		JsonNode audit = json("replays/audit");
		assertThat(audit.path("entries").findValuesAsString("reason")).contains("SENT_AGAIN", "NOT_THESE");
	}

	@Test
	void letsOperatorsLogInByAFormAndReplay() throws Exception {
		park("clicked", 2);
		Service.REPAIRED.add("clicked");
		try (Browser browser = new Browser()) {
			browser.open(this.console.address("/"));
			assertThat(browser.path()).isEqualTo("/login");
			browser.logIn("operator");
			browser.awaitText("staging", "rabbit-retry-console", "operator", "team-orders", "team-invoices");
			browser.open(this.console.address("/actuator/retryconsole#/topology"));
			browser.awaitText("Findings of the doctor", "Last sign of life", "orders", "invoices");
			browser.open(this.console.address("/actuator/retryconsole#/replay?ids=" + ids("clicked")));
			browser.awaitText("4 messages would be replayed");
			browser.write("Reason", "HANDLER_FIXED");
			browser.click("Replay 4 messages");
			browser.awaitText("finished", "4 succeeded", "100 %");
			browser.click("Log out");
			browser.awaitText("Rabbit Retry", "Log out");
			browser.click("Log out");
			browser.awaitText("You have logged out.");
			browser.back();
			browser.awaitText("You are not logged in.");
			browser.back();
			browser.awaitText("User name", "Password");
			browser.open(this.console.address("/actuator/retryconsole#/groups?by=owner&state=ANY"));
			assertThat(browser.path()).isEqualTo("/login");
			browser.logIn("stranger");
			browser.awaitText("Wrong user name or password");
			browser.logIn("operator");
			browser.awaitText("By owner, largest first");
			// a page that was kept may ask once before it is read again
			assertThat(browser.mistakes()).filteredOn((mistake) -> !mistake.contains("status of 401")).isEmpty();
		}
		awaitCount("clicked", "REPLAYED", 4);
	}

}
