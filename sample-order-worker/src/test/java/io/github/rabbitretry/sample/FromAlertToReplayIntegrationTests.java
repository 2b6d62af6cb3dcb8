/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.sample.outside.HandledOrders;
import io.github.rabbitretry.sample.outside.LeastPrivilegeUsers;
import io.github.rabbitretry.sample.outside.Surroundings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page of the command line promises an operator, with its own commands, run as
 * they stand there.
 */
class FromAlertToReplayIntegrationTests {

	private static final String NEWER_SCHEMA = "UNSUPPORTED_SCHEMA_VERSION";

	private static final Map<String, Integer> CAUSES = Map.of(NEWER_SCHEMA, 200, "DESERIALIZATION_FAILED", 300,
			"ILLEGAL_BUSINESS_TRANSITION", 300, "DOWNSTREAM_TIMEOUT", 200);

	private final List<String> commands = documentedCommands();

	private final Path data;

	private final Path root = Surroundings.target().resolve("../..").normalize();

	/** The worker's arguments, with the exported permissions alone. */
	private final List<String> permitted = new ArrayList<>();

	private int commandsRun;

	FromAlertToReplayIntegrationTests(@TempDir Path data) throws IOException {
		this.data = data;
	}

	@AfterEach
	void deleteQueues() {
		ParkedOrdersIntegrationTests.deleteQueues();
	}

	private List<String> documentedCommands() throws IOException {
		String page = Files.readString(Surroundings.target().resolve("../../src/docs/command-line.md"));
		String section = page.substring(page.indexOf("## From an alert to a replay"), page.indexOf("## Exit codes"));
		return section.lines().filter((line) -> line.startsWith("rabbit-retry ")).toList();
	}

	private ConfigurableApplicationContext start(String... release) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--order-worker.data=" + this.data,
				// its four delays take more than half an hour
				"--rabbit-retry.message-policies.CapturePaymentCommand.broker-attempts=1",
				"--rabbit-retry.message-policies.CapturePaymentCommand.schedule=1s"));
		if (this.permitted.isEmpty()) {
			this.permitted.addAll(LeastPrivilegeUsers.worker(Broker.shared(), OrderWorkerApplication.class, arguments));
		}
		return new SpringApplicationBuilder(OrderWorkerApplication.class)
			.run(Stream.concat(this.permitted.stream(), Stream.of(release)).toArray(String[]::new));
	}

	private static String url(ConfigurableApplicationContext worker) {
		return "http://127.0.0.1:%s/actuator"
			.formatted(worker.getEnvironment().getRequiredProperty("local.server.port"));
	}

	private static void failAThousand() {
		RabbitTemplate template = new RabbitTemplate(ParkedOrdersIntegrationTests.producer());
		send(template, "order.command", "order.command.create", NEWER_SCHEMA,
				"{\"schemaVersion\":3,\"orderId\":\"%s\",\"customerId\":\"c-1\",\"sku\":\"SKU-1\",\"quantity\":2}");
		send(template, "order.command", "order.command.create", "DESERIALIZATION_FAILED",
				"{\"schemaVersion\":2,\"orderId\":\"%s\",\"sku\":");
		send(template, "payment.command", "payment.command.capture", "ILLEGAL_BUSINESS_TRANSITION",
				"{\"orderId\":\"%s\",\"card\":\"tok_refunded\",\"cents\":4200}");
		send(template, "payment.command", "payment.command.capture", "DOWNSTREAM_TIMEOUT",
				"{\"orderId\":\"%s\",\"card\":\"tok_slow\",\"cents\":4200}");
	}

	private static void send(RabbitTemplate template, String exchange, String routingKey, String cause, String body) {
		ids(cause).forEach((id) -> template.send(exchange, routingKey,
				MessageBuilder.withBody(body.formatted(id).getBytes())
					.setContentType("application/json")
					.setMessageId(id)
					.build()));
	}

	/** Numbers, which groups of causes ignore in the texts of exceptions. */
	private static Stream<String> ids(String cause) {
		return IntStream.range(0, CAUSES.get(cause)).mapToObj((number) -> cause.length() + "-" + number);
	}

	@Test
	void fiveCommandsLeadFromAnAlertToTheReplayOfOneCauseOfFour() throws Exception {
		HandledOrders handled = new HandledOrders();
		try (Connection connection = Surroundings.connect(Broker.shared(), "events")) {
			handled.listen(connection);
			String cause;
			try (ConfigurableApplicationContext worker = start()) {
				failAThousand();
				Awaitility.await()
					.atMost(Duration.ofMinutes(4))
					.until(() -> metrics(worker), (metrics) -> metrics.containsAll(List.of(
							"parking_lot_depth{message_type=\"CreateOrderCommand\",owner=\"team-orders\"} 500.0",
							"parking_lot_depth{message_type=\"CapturePaymentCommand\",owner=\"team-orders\"} 500.0")));
				String groups = run(worker, this.commands.get(0));
				assertThat(counts(groups)).isEqualTo(CAUSES);
				cause = causes(groups).get(NEWER_SCHEMA);
				assertThat(run(worker, this.commands.get(1).replace("CAUSE", cause)))
					.contains("UnsupportedSchemaVersionException", "schema version 3 is not supported, only 1 to 2");
			}
			try (ConfigurableApplicationContext fixed = start("--order.newest-schema-version=3",
					"--rabbit-retry.handler-version=order-worker:2")) {
				String tried = run(fixed, this.commands.get(2).replace("CAUSE", cause));
				assertThat(tried).containsPattern("would replay +200")
					.contains("team-orders: 200")
					.containsPattern("(?s)(for example .*){5}");
				assertThat(handled.count()).as("a dry run handles nothing").isZero();
				Matcher token = Pattern.compile("token +([0-9a-f-]+)").matcher(tried);
				assertThat(token.find()).isTrue();
				String replayed = run(fixed,
						this.commands.get(3).replace("CAUSE", cause).replace("TOKEN", token.group(1)));
				assertThat(replayed).containsPattern("state +FINISHED").containsPattern("succeeded +200");
				assertThat(counts(run(fixed, this.commands.get(4)))).isEqualTo(CAUSES.entrySet()
					.stream()
					.filter((entry) -> !entry.getKey().equals(NEWER_SCHEMA))
					.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
				assertThat(this.commandsRun).isEqualTo(this.commands.size()).isLessThanOrEqualTo(5);
				assertThat(handled.retriesById().keySet())
					.containsExactlyInAnyOrderElementsOf(ids(NEWER_SCHEMA).toList());
				assertThat(handled.retriesById().values()).as("each once")
					.allSatisfy((times) -> assertThat(times).hasSize(1));
				onlyTheReplayedHaveChanged(fixed.getBean(Ledger.class));
			}
		}
	}

	private static void onlyTheReplayedHaveChanged(Ledger ledger) {
		assertThat(ledger.count(ParkedFilter.ALL)).as("nothing was parked again").isEqualTo(1000);
		assertThat(ledger.count(ParkedFilter.ALL.withState(ParkedState.REPLAYED))).isEqualTo(200);
		assertThat(ledger.count(ParkedFilter.ALL.withState(ParkedState.REPLAYED).withReason(NEWER_SCHEMA)))
			.isEqualTo(200);
		assertThat(ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED))).isEqualTo(800);
	}

	private static List<String> metrics(ConfigurableApplicationContext worker) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url(worker) + "/prometheus")).build();
		return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body().lines().toList();
	}

	/** As an operator does in a shell. */
	private String run(ConfigurableApplicationContext worker, String command) throws Exception {
		this.commandsRun++;
		Path out = this.data.resolve("out");
		Path err = this.data.resolve("err");
		ProcessBuilder builder = new ProcessBuilder("bash", "-c", "retry-starter/cli/" + command)
			.directory(this.root.toFile())
			.redirectInput(Path.of("/dev/null").toFile())
			.redirectOutput(out.toFile())
			.redirectError(err.toFile());
		builder.environment().put("RABBIT_RETRY_URL", url(worker));
		builder.environment().put("RABBIT_RETRY_USER", "ops-1");
		builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
		int status = builder.start().waitFor();
		assertThat(status).as("%s: %s", command, Files.readString(err)).isZero();
		return Files.readString(out);
	}

	private static Map<String, Integer> counts(String groups) {
		return rows(groups).collect(Collectors.toMap((row) -> row[3], (row) -> Integer.valueOf(row[0])));
	}

	private static Map<String, String> causes(String groups) {
		return rows(groups).collect(Collectors.toMap((row) -> row[3], (row) -> row[2]));
	}

	/**
	 * Their first columns: how many, of these with an exhausted budget, cause, reason.
	 */
	private static Stream<String[]> rows(String groups) {
		return groups.lines().skip(1).map((line) -> line.strip().split(" +", 5));
	}

}
