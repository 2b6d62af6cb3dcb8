/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Queues that policies give what arguments otherwise do.
 */
@ExtendWith(OutputCaptureExtension.class)
class MinimalArgumentsIntegrationTests {

	private static final String QUEUE = "minimal.order";

	private static final String MINIMAL = "rabbit-retry.topology.arguments=minimal";

	private static final String POLICY = "/api/policies/%2F/rabbit-retry-" + QUEUE;

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@AfterEach
	void remove() {
		close();
		this.broker.deleteAll("minimal");
		this.broker.close();
		for (String suffix : List.of("", ".dlq", ".parking-lot", ".retry.200ms", ".quarantine")) {
			Broker.shared().management().delete(POLICY + suffix);
		}
	}

	private void close() {
		if (this.application != null) {
			this.application.close();
		}
	}

	@Test
	void startupFailsUntilThePrintedCommandsHaveRun(CapturedOutput output) {
		assumeTrue(Broker.shared().canControl());
		List<String> commands = new ArrayList<>();
		assertThatExceptionOfType(UnsafeBrokerPolicyException.class).isThrownBy(() -> start(MINIMAL))
			.satisfies((ex) -> {
				assertThat(ex.problems()).anySatisfy((line) -> assertThat(line).contains(QUEUE + ".retry.200ms",
						"message-ttl", "messages wait for ever"));
				commands.addAll(ex.commands());
			});
		assertThat(output).contains("APPLICATION FAILED TO START", "rabbit-retry.topology.arguments: minimal",
				"rabbitmqctl set_policy -p '/' --priority 10 --apply-to quorum_queues");
		assertThat(this.broker.queues("minimal")).as("what was declared").isEmpty();
		commands.forEach((command) -> Broker.shared().ctl(TestCommand.words(command)));
		start(MINIMAL);
		assertThat(arguments()).hasSizeGreaterThanOrEqualTo(4)
			.allSatisfy((line) -> assertThat(line).contains("x-queue-type")
				.doesNotContain("x-overflow", "x-dead-letter", "x-message-ttl", "x-delivery-limit"));
		this.broker.sendJson(QUEUE, "bad", Map.of(), "{}");
		assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot"))).containsEntry("x-app-retry-attempt", "1");
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
	}

	@Test
	void anExportIsImportedAndPassesVerification() {
		for (String arguments : List.of("full", "minimal")) {
			importDefinitions("rabbit-retry.topology.arguments=" + arguments);
			start("rabbit-retry.topology.mode=verify", "rabbit-retry.topology.arguments=" + arguments);
			this.broker.sendJson(QUEUE, "bad", Map.of(), "{}");
			assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot"))).containsEntry("x-app-retry-attempt",
					"1");
			close();
			assertThatException().as("other arguments")
				.isThrownBy(() -> start("rabbit-retry.topology.mode=verify",
						"rabbit-retry.topology.arguments=" + (arguments.equals("full") ? "minimal" : "full")));
			this.broker.deleteAll("minimal");
		}
	}

	@Test
	void aQueueThatWasDeclaredWithAllArgumentsIsAMismatch() {
		importPolicies();
		start();
		close();
		assertThatExceptionOfType(TopologyMismatchException.class).isThrownBy(() -> start(MINIMAL))
			.satisfies((ex) -> assertThat(ex.problems()).allSatisfy((problem) -> assertThat(problem.remedy())
				.contains("rabbit-retry.topology.arguments", "export.md")));
	}

	@Test
	void policiesThatVanishAreReported() {
		importPolicies();
		start(MINIMAL, "rabbit-retry.topology.policies-interval=200ms");
		assertThat(unsafePolicies()).isZero();
		Broker.shared().management().delete(POLICY + ".retry.200ms");
		Awaitility.await().until(() -> unsafePolicies() > 0);
		assertThat(health().getStatus().getCode()).isEqualTo("DOWN");
		assertThat(health().getDetails().toString()).contains("message-ttl", QUEUE + ".retry.200ms");
		importPolicies();
		Awaitility.await().until(() -> unsafePolicies() == 0);
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
	}

	@Test
	void withoutTheManagementApiStartupFails() {
		importPolicies();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> start(MINIMAL, "rabbit-retry.broker.management-url=http://127.0.0.1:1"))
			.withMessageContaining("management API")
			.satisfies((ex) -> assertThat(ex.remedy()).contains("management-url", "full"));
		assertThatException().isThrownBy(() -> start(MINIMAL, "rabbit-retry.topology.policies=ignore"))
			.withRootCauseInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("ignore");
	}

	private void importPolicies() {
		try (ConfigurableApplicationContext configured = offline(MINIMAL)) {
			Broker.shared().management().post("/api/definitions/%2F", Json.write(export(configured).policies(10)));
		}
	}

	private static void importDefinitions(String arguments) {
		try (ConfigurableApplicationContext configured = offline(arguments)) {
			Broker.shared().management().post("/api/definitions", Json.write(export(configured).definitions(false)));
		}
	}

	private static ConfigurableApplicationContext offline(String... properties) {
		return TestApplication.start(Idle.class,
				properties(Stream
					.concat(Stream.of(properties), Stream.of("rabbit-retry.topology.mode=none",
							"rabbit-retry.topology.policies=ignore", "rabbit-retry.dead-letter-consumer.enabled=false"))
					.toArray(String[]::new)));
	}

	private static BrokerExport export(ConfigurableApplicationContext application) {
		return new BrokerExport(application.getBean(MessagePolicies.class).all(),
				new ExportOptions("minimal", Broker.shared().virtualHost(), false, List.of(), List.of()));
	}

	private List<String> arguments() {
		return Broker.shared()
			.ctl("list_queues", "--quiet", "name", "arguments")
			.lines()
			.filter((line) -> line.startsWith(QUEUE))
			.toList();
	}

	private double unsafePolicies() {
		return this.application.getBean(MeterRegistry.class).get("rabbit.retry.unsafe.policies").gauge().value();
	}

	private Health health() {
		return this.application.getBean("rabbitRetryHealthIndicator", HealthIndicator.class).health(true);
	}

	private void start(String... properties) {
		String url = "rabbit-retry.broker.management-url=";
		String[] known = Stream.of(properties).anyMatch((property) -> property.startsWith(url)) ? properties
				: Stream
					.concat(Stream.of(properties),
							Stream.of(url + "http://127.0.0.1:"
									+ Broker.shared().managementUri().orElseThrow().getPort()))
					.toArray(String[]::new);
		this.application = TestApplication.start(Application.class, properties(known));
	}

	private static String[] properties(String... more) {
		return Stream.concat(Stream.of("rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.local-attempts=1",
				"rabbit-retry.message-policies.Order.max-retry-age=1m"), Stream.of(more))
			.toArray(String[]::new);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Idle {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			throw new IllegalStateException("never");
		}

	}

}
