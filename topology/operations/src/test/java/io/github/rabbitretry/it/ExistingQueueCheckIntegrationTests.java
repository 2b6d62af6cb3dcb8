/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Where a work queue that was there before sends its dead letters to, and how long it
 * waits for its consumers.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExistingQueueCheckIntegrationTests {

	private static final String QUEUE = "existing.order";

	private static final String NO_MANAGEMENT = "rabbit-retry.broker.management-url=http://127.0.0.1:1";

	private static final Map<String, Object> WITH_DEAD_LETTERS = Map.of("x-dead-letter-exchange", QUEUE + ".dlx",
			"x-dead-letter-routing-key", QUEUE + ".dlq");

	private TestBroker broker;

	@BeforeEach
	void connect() {
		assumeTrue(Broker.shared().managementUri().isPresent());
		this.broker = TestBroker.connect();
	}

	@AfterEach
	void remove() {
		this.broker.close();
		this.broker = TestBroker.connect();
		this.broker.deleteAll("existing");
		this.broker.close();
		for (String policy : List.of("existing-limit", "existing-dlx", "rabbit-retry-dlx-" + QUEUE)) {
			Broker.shared().management().delete("/api/policies/%2F/" + policy);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "classic", "quorum" })
	void withoutADeadLetterExchangeTheLogSaysWhatIsLostAndHowToAddOne(String type, CapturedOutput output)
			throws Exception {
		assumeTrue(Broker.shared().canControl());
		declare(Map.of("x-queue-type", type, "x-message-ttl", 60_000));
		policy("set_policy", "existing-limit", "^existing\\.", "{\"max-length\":5000}", "--priority", "3");
		try {
			start().close();
			assertThat(output).contains("Existing queue '" + QUEUE + "' has no dead-letter exchange. Messages that");
			String[] command = command(output.getAll());
			assertThat(command).contains("{\"max-length\":5000,\"dead-letter-exchange\":\"" + QUEUE
					+ ".dlx\",\"dead-letter-routing-key\":\"" + QUEUE + ".dlq\"}", "4");
			Broker.shared().ctl(command);
			int seen = output.getAll().length();
			try (ConfigurableApplicationContext application = start()) {
				assertThat(output.getAll().substring(seen)).doesNotContain("Existing queue");
				this.broker.sendJson(QUEUE, "1", Map.of(), "{}");
				GetResponse message = this.broker.channel().basicGet(QUEUE, false);
				this.broker.channel().basicReject(message.getEnvelope().getDeliveryTag(), false);
				assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot")))
					.containsEntry("x-app-retry-reason", "REJECTED");
			}
		}
		finally {
			Broker.shared().ctl("clear_policy", "existing-limit");
			Broker.shared().ctl("clear_policy", "rabbit-retry-dlx-" + QUEUE);
		}
	}

	@Test
	void withoutTheManagementApiTheLogSaysWhatIsNotKnownAndHowToAddOne(CapturedOutput output) throws Exception {
		declare(Map.of("x-expires", 600_000, "x-message-ttl", 60_000));
		start(NO_MANAGEMENT).close();
		assertThat(output)
			.containsOnlyOnce("Whether existing queue '" + QUEUE + "' has a dead-letter exchange is not known")
			.contains("rabbitmqctl set_policy", "Only one policy is in effect for a queue");
	}

	@Test
	void anotherDeadLetterExchangeIsNamed(CapturedOutput output) throws Exception {
		declare(Map.of("x-queue-type", "quorum", "x-delivery-limit", 3, "x-dead-letter-exchange", "amq.fanout"));
		start().close();
		assertThat(output).contains("sends its dead letters to exchange 'amq.fanout'").doesNotContain("set_policy");
	}

	@Test
	void aDeadLetterExchangeThatIsGoneIsAProblemUntilItIsBack(CapturedOutput output) throws Exception {
		declare(WITH_DEAD_LETTERS);
		try (ConfigurableApplicationContext application = start("rabbit-retry.topology.policies-interval=1h")) {
			this.broker.channel().queueDelete(QUEUE);
			declare(Map.of());
			assertThat(problems(application)).isEmpty();
			reconnect(application);
			Awaitility.await()
				.untilAsserted(() -> assertThat(problems(application)).singleElement()
					.satisfies((problem) -> assertThat(problem.detail()).contains("has no dead-letter exchange",
							"rabbitmqctl set_policy")));
			assertThat(output).containsOnlyOnce("Existing queue '" + QUEUE + "' has no dead-letter exchange");
			this.broker.channel().queueDelete(QUEUE);
			declare(WITH_DEAD_LETTERS);
			reconnect(application);
			Awaitility.await().untilAsserted(() -> assertThat(problems(application)).isEmpty());
			assertThat(output).contains("Existing queue '" + QUEUE + "' has its dead-letter exchange again");
		}
	}

	@Test
	void aPolicyThatIsRemovedIsNoticedWithoutAReconnect() throws Exception {
		assumeTrue(Broker.shared().canControl());
		declare(Map.of());
		policy("set_policy", "existing-dlx", "^existing.order$",
				"{\"dead-letter-exchange\":\"%1$s.dlx\",\"dead-letter-routing-key\":\"%1$s.dlq\"}".formatted(QUEUE));
		try (ConfigurableApplicationContext application = start("rabbit-retry.topology.policies-interval=200ms")) {
			assertThat(problems(application)).isEmpty();
			Broker.shared().ctl("clear_policy", "existing-dlx");
			Awaitility.await()
				.untilAsserted(() -> assertThat(problems(application)).singleElement()
					.satisfies((problem) -> assertThat(problem.code()).isEqualTo("dead-letter-exchange-gone")));
			this.broker.channel().queueDelete(QUEUE);
			Awaitility.await()
				.untilAsserted(() -> assertThat(problems(application)).singleElement()
					.satisfies((problem) -> assertThat(problem.code()).isEqualTo("work-queue-missing")));
		}
	}

	@Test
	void aConsumerTimeoutOfItsOwnThatIsTooShortForTheHandlerFailsStartup() throws Exception {
		// RabbitMQ 4.3 refuses the argument of a classic queue
		declare(Map.of("x-queue-type", "quorum", "x-consumer-timeout", 90_000));
		String timeout = "rabbit-retry.message-policies.Order.handler-timeout=";
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> start(timeout + "90s"))
			.withMessageContaining(
					"consumer timeout of existing queue '" + QUEUE + "', which is PT1M30S by its argument");
		assertThat(this.broker.queues("existing")).containsExactly(QUEUE);
		assertThat(this.broker.exchanges("existing")).isEmpty();
		start(timeout + "80s").close();
		start(timeout + "90s", "rabbit-retry.topology.policies=ignore").close();
	}

	@Test
	void looksLeaveNoConnectionsOpenWhereEachUserHasOneOfItsOwn() throws Exception {
		declare(Map.of());
		try (ConfigurableApplicationContext application = start(NO_MANAGEMENT,
				"spring.rabbitmq.cache.connection.mode=connection")) {
			CachingConnectionFactory connections = application.getBean(CachingConnectionFactory.class);
			connections.createConnection();
			int open = open(connections);
			Awaitility.await()
				.during(Duration.ofSeconds(4))
				.atMost(Duration.ofSeconds(10))
				.until(() -> open(connections) <= open + 1);
		}
	}

	private static int open(CachingConnectionFactory connections) {
		return Integer.parseInt(connections.getCacheProperties().getProperty("openConnections"));
	}

	private static void reconnect(ConfigurableApplicationContext application) {
		CachingConnectionFactory connections = application.getBean(CachingConnectionFactory.class);
		connections.resetConnection();
		connections.createConnection();
	}

	@Test
	void aDeadLetterExchangeThatDoesNotExistIsWarnedOf(CapturedOutput output) throws Exception {
		declare(Map.of("x-dead-letter-exchange", "existing.nowhere"));
		start().close();
		assertThat(output).contains("to exchange 'existing.nowhere' (by its argument x-dead-letter-exchange), which"
				+ " does not exist: they are lost");
	}

	@Test
	void deadLettersThatComeBackAtOnceAreWarnedOf(CapturedOutput output) throws Exception {
		declare(Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", QUEUE));
		start().close();
		assertThat(output).contains("Existing queue '" + QUEUE + "' sends its dead letters" + " back to itself");
	}

	private void declare(Map<String, Object> arguments) throws Exception {
		this.broker.channel().queueDeclare(QUEUE, true, false, false, arguments);
	}

	private static List<HealthProblem> problems(ConfigurableApplicationContext application) {
		return application.getBeanProvider(HealthSource.class)
			.stream()
			.flatMap((source) -> source.problems().stream())
			.filter((problem) -> problem.code().equals("dead-letter-exchange-gone")
					|| problem.code().equals("work-queue-missing"))
			.toList();
	}

	private static void policy(String command, String name, String pattern, String definition, String... options) {
		List<String> arguments = new ArrayList<>(List.of(command));
		arguments.addAll(List.of(options));
		arguments.addAll(List.of(name, pattern, definition));
		Broker.shared().ctl(arguments.toArray(String[]::new));
	}

	/** The arguments of the command that was printed, as a shell takes them apart. */
	private static String[] command(String output) {
		Matcher line = Pattern.compile("rabbitmqctl (set_policy .*)").matcher(output);
		assertThat(line.find()).isTrue();
		Matcher words = Pattern.compile("'([^']*)'|(\\S+)").matcher(line.group(1));
		return words.results()
			.map((word) -> (word.group(1) != null) ? word.group(1) : word.group(2))
			.toArray(String[]::new);
	}

	private static ConfigurableApplicationContext start(String... more) {
		List<String> properties = new ArrayList<>(List.of("rabbit-retry.message-policies.Order.work-queue=existing",
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.local-attempts=1",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=500ms"));
		properties.addAll(List.of(more));
		if (!properties.contains(NO_MANAGEMENT)) {
			properties.add("rabbit-retry.broker.management-url=http://127.0.0.1:"
					+ Broker.shared().managementUri().orElseThrow().getPort());
		}
		return TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
