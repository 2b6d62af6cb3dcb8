/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The simulator of a running service, and what changed rules would have decided about
 * what a real ledger holds.
 */
class SimulateIntegrationTests {

	private static final String QUEUE = "cli.simulated";

	@TempDir
	private Path folder = Path.of("");

	@AfterEach
	void deleteQueues() {
		Broker.shared().management().deleteAll(QUEUE);
	}

	private static Shell.Result run(String... arguments) {
		return new Shell(new ServiceConnector((note) -> {
		})).realTime().run(arguments);
	}

	private static JsonNode json(Shell.Result result) {
		assertThat(result.exitCode()).as(result.err()).isZero();
		return JsonMapper.shared().readTree(result.out());
	}

	@Test
	void aServiceTellsWhatItsConfigurationDoesAndItsLedgerWhatOtherRulesWould() throws Exception {
		String database = Database.shared().createDatabase();
		Path config = OrderService.config(this.folder.resolve("application.yml"), QUEUE,
				Broker.shared().amqpUri().toString(), """
						  datasource.url: %s
						  datasource.username: %s
						  datasource.password: %s
						""".formatted(database, Database.shared().username(), Database.shared().password()), "");
		Path changed = Files.writeString(this.folder.resolve("changed.yml"),
				Files.readString(config)
					.replace("permanent-business", "transient")
					.replace("NO_SUCH_ORDER", "ORDER_COMES_LATER")
					.replace("broker-attempts: 0", "broker-attempts: 3"));
		try (Queues queues = new Queues(); OrderService service = OrderService.start(config)) {
			simulates(service, changed);
			refuses(service);
			OrderService.broken = true;
			queues.send(QUEUE, 3);
			JdbcClient jdbc = JdbcClient.create(
					new DriverManagerDataSource(database, Database.shared().username(), Database.shared().password()));
			await().atMost(Duration.ofSeconds(30))
				.until(() -> jdbc.sql("select count(*) from rabbit_retry_parked").query(Long.class).single() == 3);
			for (String[] where : new String[][] { { "--url", service.url(), "--compare", changed.toString() },
					{ "--config", config.toString(), "--compare", changed.toString() } }) {
				JsonNode group = json(run(Stream
					.concat(Stream.of("simulate", "--against", "ledger", "--output", "json"), Stream.of(where))
					.toArray(String[]::new))).path("groups").path(0);
				assertThat(group.path("reason").asString()).isEqualTo("NO_SUCH_ORDER");
				assertThat(group.path("newReason").asString()).isEqualTo("ORDER_COMES_LATER");
				assertThat(group.path("decision").asString()).isEqualTo("retry");
				assertThat(group.path("changed").asBoolean()).isTrue();
				assertThat(group.path("count").asLong()).isEqualTo(3);
			}
		}
	}

	private static void simulates(OrderService service, Path changed) throws Exception {
		String[] command = { "simulate", "--policy", "CreateOrder", "--rate", "10/s", "--outage", "1m", "--url",
				service.url(), "--output", "json" };
		JsonNode answer = json(run(command));
		assertThat(answer.path("simulations").path(0).path("parked").toString())
			.isEqualTo("{\"RETRY_BUDGET_EXHAUSTED\":600}");
		assertThat(answer.path("simulations").path(0).path("assumed").path(0).asString())
			.isEqualTo("concurrency: 1, what the listeners of one instance may have");
		HttpResponse<String> response = get(service, "/retrysimulation/CreateOrder?rate=10/s&outage=1m&failing=100%25");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(JsonMapper.shared().readTree(response.body())).hasToString(answer.toString());
		JsonNode both = json(run(
				Stream.concat(Stream.of(command), Stream.of("--compare", changed.toString())).toArray(String[]::new)))
			.path("simulations");
		assertThat(both).hasSize(2);
		assertThat(both.path(0).path("configuration").asString()).isEqualTo("service");
		assertThat(both.path(0).path("retries").asLong()).isZero();
		assertThat(both.path(1).path("retries").asLong()).isPositive();
	}

	private static void refuses(OrderService service) throws Exception {
		assertThat(get(service, "/retrysimulation/Refund?rate=1/s&outage=1m").statusCode()).isEqualTo(404);
		HttpResponse<String> refusal = get(service, "/retrysimulation/CreateOrder?rate=fast&outage=1m");
		assertThat(refusal.statusCode()).isEqualTo(400);
		assertThat(refusal.body()).contains("'rate' is 'fast'");
		assertThat(get(service, "/retrysimulation/CreateOrder?rate=9999/s&outage=2h").body())
			.contains("more than the 5,000,000");
		assertThat(run("simulate", "--policy", "Refund", "--rate", "1/s", "--outage", "1m", "--url", service.url())
			.exitCode()).isEqualTo(4);
	}

	private static HttpResponse<String> get(OrderService service, String path) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(service.url() + path)).build(),
					HttpResponse.BodyHandlers.ofString());
	}

}
