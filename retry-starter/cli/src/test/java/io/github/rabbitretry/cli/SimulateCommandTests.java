/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
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

	private static Document xml(Path file) throws Exception {
		DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
		factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
		return factory.newDocumentBuilder()
			.parse(new ByteArrayInputStream(Files.readString(file).getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void aConfigurationIsSimulatedWithoutBrokerDatabaseAndService() throws Exception {
		Shell.Result result = run(POLICY, "--config", config("application.yml", ""));
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.out()).isEqualTo(
				"""
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
						Assumed: concurrency: 1, Spring's default of one instance, as spring.rabbitmq.listener.simple.concurrency is not set.
						""");
		assertThat(run(POLICY, "--config", this.folder.resolve("application.yml")).out()).as("again")
			.isEqualTo(result.out());
	}

	@Test
	void twoConfigurationsAreComparedSideBySide() throws Exception {
		Path svg = this.folder.resolve("both.svg");
		Path other = config("other.yml", "  defaults.max-retry-age: 40s");
		Shell.Result result = run(POLICY, "--config", config("application.yml", ""), "--compare", other, "--svg", svg,
				"--wide");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.out()).contains("application.yml", "other.yml", "parked, RETRY_AGE_EXCEEDED",
				"CALLS 1  CALLS 2  CALLS/S 1  CALLS/S 2  WAITING 1  WAITING 2  PARKED 1  PARKED 2");
		assertThat(xml(svg).getElementsByTagName("path").getLength()).isEqualTo(2 + 3 * (3 + 1 + 2));
		assertThat(Files.readString(svg)).contains("1: ", "application.yml", "2: ", "other.yml",
				"prefers-color-scheme: dark", "handler calls per second", "messages waiting", "messages parked",
				"time since the first message");
		JsonNode simulations = json(
				run(POLICY, "--config", this.folder.resolve("application.yml"), "--compare", other, "--output", "json"))
			.path("simulations");
		assertThat(simulations).hasSize(2);
		assertThat(simulations.path(0).path("parked").toString()).isEqualTo("{\"RETRY_BUDGET_EXHAUSTED\":300}");
		assertThat(simulations.path(1).path("parked").propertyNames()).containsExactly("RETRY_AGE_EXCEEDED");
		assertThat(simulations.path(1).path("configuration").asString()).endsWith("other.yml");
		assertThat(simulations.path(0).path("minutes").path(2).path("parked").asLong()).isEqualTo(300);
	}

	@Test
	void theConsumersAreThoseOfTheConfigurationAndAnOutageCanBeginLater() throws Exception {
		Path config = Files.writeString(config("application.yml", ""), """
				spring.rabbitmq.listener.simple:
				  concurrency: 4
				  max-concurrency: ${NOT_SET_HERE}
				""" + "---\n" + Files.readString(config("application.yml", "")));
		Path svg = this.folder.resolve("later.svg");
		Shell.Result result = run(POLICY + "--outage-at 3m --svg " + svg, "--config", config);
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.out()).startsWith("CreateOrder at 5/s; after 3 min, for 2 min 100% of the calls fail with")
			.endsWith("Assumed: concurrency: 4, spring.rabbitmq.listener.simple.concurrency of one instance.\n");
		assertThat(Files.readString(svg)).contains("<rect class=\"outage\" x=\"460\"");
		assertThat(run(POLICY + "--concurrency 2", "--config", config).out()).doesNotContain("Assumed");
	}

	@Test
	void ofSeveralFilesTheLaterOnesAreStronger() throws Exception {
		Path more = Files.writeString(this.folder.resolve("more.yml"),
				"rabbit-retry.message-policies.CreateOrder.broker-attempts: 0");
		JsonNode one = json(
				run(POLICY, "--config", config("application.yml", ""), "--config", more, "--output", "json"));
		assertThat(one.path("simulations").path(0).path("retries").asLong()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simulate", "simulate --rate 5/s --outage 1m", "simulate --policy A --outage 1m",
			"simulate --policy A --rate 5/s", "simulate --policy A --rate 5/s --outage 1m",
			"simulate --policy A --rate 5/s --outage 1m --url http://127.0.0.1:1/actuator",
			"simulate --policy A --rate 5/s --outage 1m --config a.yml --url http://127.0.0.1:1/actuator",
			"simulate --policy A --rate 5/s --outage 1m --config /nowhere.yml", "simulate --against broker",
			"simulate --against ledger", "simulate --against ledger --compare a.yml --rate 5/s",
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
			--seed x             | --seed is no whole number.
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
				"--config", config("application.yml", "")))
			.path("simulations")
			.path(0);
		assertThat(one.path("load").toString().replace('"', '\''))
			.isEqualTo("{'rate':'5/s','outage':'PT2M','outageAt':'PT30S','failing':'12.5%',"
					+ "'failureClass':'permanent-business','reason':'QUOTE_EXPIRED','handlerTime':'PT0.04S',"
					+ "'failingTime':'PT5S','concurrency':'50','duration':'PT3M','seed':'-7'}");
		assertThat(one.path("assumed")).isEmpty();
		JsonNode same = json(
				run("simulate --policy CreateOrder --rate 300/min --outage 2m --handler-time 0 --output json",
						"--config", this.folder.resolve("application.yml")))
			.path("simulations")
			.path(0);
		assertThat(same.path("load").path("rate").asString()).isEqualTo("5/s");
		assertThat(same.path("lastRetry").asString()).isEqualTo("PT2M29.8S");
		assertThat(same.path("downstreamPeak").toString()).isEqualTo("{\"value\":15,\"at\":\"PT1M\"}");
		assertThat(same.path("minutes").path(1).toString().replace('"', '\''))
			.isEqualTo("{'minute':1,'arrived':300,'handlerCalls':900,'failedCalls':900,'retries':600,"
					+ "'callsPerSecond':15,'ready':0,'waiting':300,'parked':300}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					simple.max-concurrency: 7    | concurrency: 7, spring.rabbitmq.listener.simple.max-concurrency of one instance.
					direct.consumers-per-queue: 7| concurrency: 1, Spring's default of one instance
					type: direct                 | spring.rabbitmq.listener.direct.consumers-per-queue is not set.""")
	void theAssumedConsumersAreThoseOfTheKindOfListener(String key, String says) throws Exception {
		Path config = config("application.yml", "spring.rabbitmq.listener." + key);
		assertThat(run(POLICY, "--config", config).out()).contains(says);
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

	@Test
	void aChartThatCanNotBeWrittenIsTold() throws Exception {
		Shell.Result result = run(POLICY, "--config", config("application.yml", ""), "--svg",
				this.folder.resolve("no/such/folder.svg"));
		assertThat(result.exitCode()).isEqualTo(74);
		assertThat(result.out()).isEmpty();
		assertThat(result.err()).contains("folder.svg can't be written: NoSuchFileException.");
	}

	@Test
	void namesCanNotBreakAChart() throws Exception {
		Path config = config("a&<\"b>.yml", "");
		Path svg = this.folder.resolve("chart.svg");
		assertThat(run(POLICY, "--config", config, "--compare", config, "--svg", svg).exitCode()).isZero();
		assertThat(xml(svg).getElementsByTagName("text").item(2).getTextContent()).endsWith("a&<\"b>.yml");
	}

	@Test
	void changedRulesDecideAnewAboutWhatIsParked() throws Exception {
		Path changed = config("changed.yml", """
				    - exception: com.acme.StockException
				      failure-class: transient
				      reason: STOCK_IS_DOWN
				""");
		Recording ledger = new Recording().answers("GET parkinglot/groups",
				"""
						{"groups":[
						{"count":40,"budgetExhausted":40,"messageType":"CreateOrder","reason":"UNKNOWN_FAILURE",
						 "failureClass":"unknown","exception":"com.acme.OrderException <- com.acme.QuoteExpiredException"},
						{"count":7,"budgetExhausted":0,"messageType":"CreateOrder","reason":"STOCK",
						 "failureClass":"permanent-technical","exception":"com.acme.StockException"},
						{"count":5,"budgetExhausted":5,"messageType":"CreateOrder","reason":"DOWNSTREAM_TIMEOUT",
						 "failureClass":"transient","exception":"java.lang.IllegalStateException <- java.net.SocketTimeoutException"},
						{"count":3,"budgetExhausted":0,"messageType":"CreateOrder","reason":"NO_SUCH_ORDER",
						 "failureClass":"permanent-business","exception":"com.acme.NoSuchOrderException"},
						{"count":2,"budgetExhausted":0,"messageType":"Refund","reason":"EXPIRED","failureClass":"poison"}]}""");
		String[] command = { "simulate", "--against", "ledger", "--compare", changed.toString() };
		JsonNode answer = JsonMapper.shared()
			.readTree(new Shell(ledger)
				.run(Stream.concat(Stream.of(command), Stream.of("--output", "json")).toArray(String[]::new))
				.out());
		assertThat(answer.path("groups")
			.valueStream()
			.map((group) -> "%s %s %s %s %s".formatted(group.path("count").asString(),
					group.path("newReason").asString("-"), group.path("decision").asString(),
					group.path("decidedBy").asString("-"), group.path("changed").asString("-"))))
			.containsExactly("40 QUOTE_EXPIRED park rules[0] true", "7 STOCK_IS_DOWN retry rules[1] true",
					"5 DOWNSTREAM_TIMEOUT retry built-in knowledge false", "3 UNKNOWN_FAILURE unknown  false",
					"2 - unknown - -");
		assertThat(answer.path("messages").toString()).isEqualTo("{\"park\":40,\"retry\":12,\"unknown\":5}");
		assertThat(answer.path("notKnown")).hasSize(4);
		Shell.Result table = new Shell(ledger).run(command);
		assertThat(table.exitCode()).as(table.err()).isZero();
		assertThat(table.out()).contains("QUOTE_EXPIRED, permanent-business", "park: 40", "Not known here:");
	}

}
