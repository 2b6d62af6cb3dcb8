/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class SimulateCommandTests {

	private static final String POLICY = "simulate --policy CreateOrder --rate 5/s --outage 2m ";

	@TempDir
	private Path folder = Path.of("");

	private final Shell shell = new Shell(new ServiceConnector((note) -> {
	}));

	private Path config(String name, String more) throws Exception {
		return Files.writeString(this.folder.resolve(name), """
				spring:
				  rabbitmq.password: ${NOT_SET_HERE}
				  datasource.url: jdbc:postgresql://${NOT_SET_EITHER}/orders
				  ssl.bundle.jks.mine.keystore.location: /nowhere
				rabbit-retry:
				  message-policies:
				    CreateOrder:
				      queue: order.command.create
				      local-attempts: 1
				      broker-attempts: 2
				      retry-backoff: fixed
				      initial-delay: 30s
				      deduplication.store: jdbc
				  ledger.enabled: true
				  classification.rules:
				    - exception: com.acme.QuoteExpiredException
				      failure-class: permanent-business
				      reason: QUOTE_EXPIRED
				%s
				""".formatted(more));
	}

	private Shell.Result run(String command, Object... more) {
		return this.shell
			.run(Stream.concat(Stream.of(command.strip().split(" ")), Stream.of(more).map(Object::toString))
				.toArray(String[]::new));
	}

	private static JsonNode json(Shell.Result result) {
		assertThat(result.exitCode()).as(result.err()).isZero();
		return JsonMapper.shared().readTree(result.out());
	}

	@Test
	void aConfigurationIsSimulatedWithoutBrokerDatabaseAndService() throws Exception {
		Shell.Result result = run(POLICY, "--config", config("application.yml", ""));
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.out()).isEqualTo("""
				CreateOrder at 5/s; for 2 min 100% of the calls fail with DOWNSTREAM_UNAVAILABLE, transient

				TOTALS
				messages                                 750
				handled                                  450
				parked, RETRY_BUDGET_EXHAUSTED           300
				handler calls                          1,800
				of these failed                        1,350
				retried deliveries                     1,050
				most calls within a second       15 at 1 min
				most messages waiting           301 at 1 min
				last retry at                     2 min 29 s
				last parked at                    1 min 59 s
				end                               2 min 29 s

				MINUTE  ARRIVED  CALLS  FAILED  RETRIES  CALLS/S  READY  WAITING  PARKED
				     0      300    450     450      150       10      0      300       0
				     1      300    900     900      600       15      0      300     300
				     2      150    450       0      300       15      0        0     300
				""");
		assertThat(run(POLICY, "--config", this.folder.resolve("application.yml")).out()).as("again")
			.isEqualTo(result.out());
	}

	@Test
	void anOutageCanBeginLater() throws Exception {
		Shell.Result result = run(POLICY + "--outage-at 3m", "--config", config("application.yml", ""));
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.out()).startsWith("CreateOrder at 5/s; after 3 min, for 2 min 100% of the calls fail with");
	}

	@Test
	void aRateIsPrintedPerSecond() throws Exception {
		Shell.Result result = run("simulate --policy CreateOrder --rate 10000/min --outage 1m ", "--config",
				config("application.yml", ""));
		assertThat(result.out()).startsWith("CreateOrder at 166.666667/s; for 1 min 100% of the calls fail with");
	}

	@Test
	void ofSeveralFilesTheLaterOnesAreStronger() throws Exception {
		Path more = Files.writeString(this.folder.resolve("more.yml"),
				"rabbit-retry.message-policies.CreateOrder.broker-attempts: 0");
		JsonNode one = json(
				run(POLICY, "--config", config("application.yml", ""), "--config", more, "--output", "json"));
		assertThat(one.path("retries").asLong()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simulate", "simulate --rate 5/s --outage 1m", "simulate --policy A --outage 1m",
			"simulate --policy A --rate 5/s", "simulate --policy A --rate 5/s --outage 1m",
			"simulate --policy A --rate 5/s --outage 1m --url http://127.0.0.1:1/actuator",
			"simulate --policy A --rate 5/s --outage 1m --config a.yml --url http://127.0.0.1:1/actuator",
			"simulate --policy A --rate 5/s --outage 1m --config /nowhere.yml",
			"simulate --policy A --rate 5/s --rate 6/s --outage 1m" })
	void whatCanNotBeUnderstoodIsNotAsked(String command) {
		Shell.Result result = run(command);
		assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
		assertThat(result.out()).isEmpty();
		assertThat(result.err()).isNotBlank().doesNotContain("Exception");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					--rate 5/s --outage 2m --policy Refund             | 4 | There is no message policy 'Refund'; there are CreateOrder.
					--policy CreateOrder --outage 2m --rate fast       | 3 | --rate is 'fast', which is no rate as 50/s, 300/min or 20/h.
					--policy CreateOrder --rate 5/s --outage soon      | 3 | --outage must be a time as 30s, 10m or 2h.
					--policy CreateOrder --rate 5/s --outage 10        | 3 | --outage must be a time as 30s, 10m or 2h.
					--policy CreateOrder --rate 5/s --outage 2m --handler-time 40 | 3 | --handler-time must be a time as
					--policy CreateOrder --rate 5/s --outage 2m --failing 5 | 3 | --failing is '5', which is no percentage
					--policy CreateOrder --rate 5/s --outage 2m --handler-time 9d | 3 | --handler-time is PT216H.
					--policy CreateOrder --rate 99999/s --outage 1h    | 3 | 359,996,400 messages are more than the 150,000,000 that are simulated. Lower --rate""")
	void refusalsSpeakOfOptions(String arguments, int exitCode, String says) throws Exception {
		Shell.Result result = run("simulate " + arguments, "--config", config("application.yml", ""));
		assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
		assertThat(result.err()).contains(says);
		assertThat(result.out()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			--rate -5/s          | --rate is '-5/s', which is no rate
			--rate 0/s           | --rate is 0.0 messages a second.
			--outage-at soon     | --outage-at must be a time as 30s, 10m or 2h.
			--outage 20d         | --outage is PT480H. It must be from PT0S to PT336H.
			--failing-time 5     | --failing-time must be a time as 30s, 10m or 2h.
			--duration 3         | --duration must be a time as 30s, 10m or 2h.
			--duration 0s        | --duration is PT0S.
			--failing 0.5        | --failing is '0.5', which is no percentage as 100%.
			--failing 101%       | --failing is 101
			--reason oops        | --reason is 'oops', which is not built in: --failure-class says what it is
			--failure-class bad  | --failure-class is 'bad'. Supported: transient
			--concurrency 0      | --concurrency is 0. It must be from 1 to 1000000.
			--seed x             | --seed is not a whole number.
			--start noon         | --start is no instant""")
	void whatCanNotBeSimulatedIsRefused(String option, String says) throws Exception {
		String rest = Stream.of("--rate 5/s", "--outage 2m")
			.filter((other) -> !other.startsWith(option.split(" ")[0] + " "))
			.collect(Collectors.joining(" "));
		Shell.Result result = run("simulate --policy CreateOrder %s %s".formatted(rest, option), "--config",
				config("application.yml", ""));
		assertThat(result.exitCode()).as(result.err()).isEqualTo(3);
		assertThat(result.err()).contains(says);
	}

	@Test
	void everythingThatHappensCanBeSaid() throws Exception {
		JsonNode one = json(run(
				POLICY + "--failing 12.5% --reason QUOTE_EXPIRED --failure-class permanent-business --handler-time 40ms"
						+ " --failing-time 5s --concurrency 50 --duration PT3M --seed -7 --outage-at 30s --output json",
				"--config", config("application.yml", "")));
		assertThat(one.path("load").toString().replace('"', '\''))
			.startsWith("{'rate':5.0,'outage':'PT2M','outageAt':'PT30S','failing':0.125,"
					+ "'failureClass':'PERMANENT_BUSINESS','reason':'QUOTE_EXPIRED','handlerTime':'PT0.04S',"
					+ "'failingTime':'PT5S','concurrency':50,'duration':'PT3M','start':'")
			.endsWith("'seed':-7}");
		JsonNode same = json(
				run("simulate --policy CreateOrder --rate 300/min --outage 2m --handler-time 0 --output json",
						"--config", this.folder.resolve("application.yml")));
		assertThat(same.path("load").path("rate").asDouble()).isEqualTo(5);
		assertThat(same.path("lastRetry").asString()).startsWith("PT2M29.8");
		assertThat(same.path("downstreamPeak").toString()).isEqualTo("{\"value\":15,\"at\":\"PT1M\"}");
		assertThat(same.path("minutes").path(1).toString().replace('"', '\''))
			.isEqualTo("{'minute':1,'arrived':300,'handlerCalls':900,'failedCalls':900,'retries':600,"
					+ "'callsPerSecond':15,'ready':0,'waiting':300,'parked':300}");
	}

	@Test
	void withoutAPolicyThoseThatThereAreAreNamed() throws Exception {
		Shell.Result result = run("simulate --rate 5/s --outage 2m", "--config", config("application.yml", ""));
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("--policy is missing; there are CreateOrder.");
	}

	@Test
	void aConfigurationThatWouldFailStartupIsRefusedInItsWords() throws Exception {
		Path config = config("application.yml", "  defaults.multiplier: 0.5");
		Files.writeString(config,
				Files.readString(config).replace("retry-backoff: fixed", "retry-backoff: exponential"));
		Shell.Result result = run(POLICY, "--config", config);
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.err()).contains("rabbit-retry.message-policies.CreateOrder.multiplier");
		Path none = Files.writeString(this.folder.resolve("none.yml"), "server.port: 1");
		assertThat(run(POLICY, "--config", none).err()).contains("rabbit-retry.message-policies is not set");
	}

}
