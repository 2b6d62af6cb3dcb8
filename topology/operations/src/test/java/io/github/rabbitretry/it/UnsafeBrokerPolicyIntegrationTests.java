/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Policies of a real broker that would lose messages: refused, reported, displaced.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnsafeBrokerPolicyIntegrationTests {

	private static final String QUEUE = "unsafe.order";

	private static final String POLICY = "unsafe-orders";

	private static final String DROP_HEAD = "{\"overflow\":\"drop-head\",\"max-length\":1000000}";

	private ConfigurableApplicationContext application;

	@AfterEach
	void remove() {
		if (this.application != null) {
			this.application.close();
		}
		for (String name : List.of(POLICY, "rabbit-retry-" + POLICY, "rabbit-retry-" + POLICY + "-2")) {
			Broker.shared().management().delete("/api/policies/%2F/" + name);
			Broker.shared().management().delete("/api/operator-policies/%2F/" + name);
		}
		try (TestBroker broker = TestBroker.connect()) {
			broker.deleteAll(QUEUE);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					policies          | all           | {"overflow":"drop-head","alternate-exchange":"amq.fanout"}
					policies          | quorum_queues | {"delivery-limit":4,"message-ttl":60000,"expires":3600000,"dead-letter-routing-key":"k"}
					operator-policies | queues        | {"overflow":"drop-head","delivery-limit":50,"message-ttl":90000,"max-length":5000}
					""")
	void anUnsafePolicyFailsStartupUntilThePrintedCommandsHaveRun(String kind, String applyTo, String definition) {
		assumeTrue(Broker.shared().canControl());
		set(kind, applyTo, definition);
		List<String> commands = new ArrayList<>();
		assertThatException().isThrownBy(() -> start())
			.asInstanceOf(InstanceOfAssertFactories.type(UnsafeBrokerPolicyException.class))
			.satisfies((ex) -> {
				assertThat(ex.problems()).isNotEmpty()
					.allSatisfy((line) -> assertThat(line).contains("policy '" + POLICY + "' sets '")
						.contains(" '" + QUEUE));
				commands.addAll(ex.commands());
			});
		commands.forEach((command) -> Broker.shared().ctl(TestCommand.words(command)));
		start();
		assertThat(unsafePolicies()).isZero();
		assertThat(effective(".dlq", ".parking-lot")).hasSize(2)
			.allSatisfy(
					(line) -> assertThat(line).doesNotContain("drop-head", "expires", "delivery-limit", "message-ttl"));
	}

	@Test
	void nothingIsDeclaredIfStartupFailsAndTheReportSaysWhatHelps(CapturedOutput output) {
		set("policies", "queues", DROP_HEAD);
		assertThatException().isThrownBy(() -> start());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("policy '" + POLICY + "' sets 'overflow' to 'drop-head'")
			.contains("rabbitmqctl set_policy -p '/' --priority 1 --apply-to queues 'rabbit-retry-" + POLICY + "'")
			.contains("set rabbit-retry.topology.policies to 'warn' or 'ignore'");
		assertThat(Broker.shared().management().get("/api/queues/%2F?columns=name")).doesNotContain(QUEUE);
	}

	@Test
	void theKeysOfAPolicyThatLoseNothingAreKept() {
		assumeTrue(Broker.shared().canControl());
		set("policies", "queues", "{\"overflow\":\"drop-head\",\"max-length\":777}");
		assertThatException().isThrownBy(() -> start())
			.asInstanceOf(InstanceOfAssertFactories.type(UnsafeBrokerPolicyException.class))
			.satisfies((ex) -> ex.commands().forEach((command) -> Broker.shared().ctl(TestCommand.words(command))));
		start();
		assertThat(effective("")).singleElement().asString().contains("777", "reject-publish");
	}

	@Test
	void aPolicyThatIsSetLaterIsReportedAndItsEndToo(CapturedOutput output) {
		start("rabbit-retry.topology.policies-interval=200ms");
		assertThat(unsafePolicies()).isZero();
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
		set("policies", "queues", DROP_HEAD);
		Awaitility.await().until(() -> unsafePolicies() > 0);
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).containsPattern("ERROR.*Broker policies would lose messages:"));
		assertThat(output).contains("policy '" + POLICY + "' sets 'overflow' to 'drop-head' for queue '" + QUEUE,
				"rabbitmqctl set_policy -p '/' --priority 1 --apply-to queues 'rabbit-retry-" + POLICY + "'");
		assertThat(health().getStatus().getCode()).isEqualTo("DOWN");
		assertThat(health().getDetails().toString()).contains("unsafe-policy", POLICY, "drop-head");
		Broker.shared().management().delete("/api/policies/%2F/" + POLICY);
		Awaitility.await().until(() -> unsafePolicies() == 0);
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("Broker policies are safe again"));
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
		assertThat(output.toString().split("would lose messages:", -1)).hasSize(2);
	}

	@Test
	void anUnsafePolicyIsAWarningAndAMetricIfThatIsConfigured(CapturedOutput output) {
		set("policies", "queues", DROP_HEAD);
		start("rabbit-retry.topology.policies=warn");
		assertThat(unsafePolicies()).isPositive();
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).containsPattern("WARN.*Broker policies would lose messages:"));
	}

	@Test
	void anUnsafePolicyIsIgnoredIfThatIsConfigured(CapturedOutput output) {
		set("policies", "queues", DROP_HEAD);
		start("rabbit-retry.topology.policies=ignore");
		assertThat(unsafePolicies()).isNaN();
		assertThat(output).doesNotContain("would lose messages");
	}

	@ParameterizedTest
	@ValueSource(strings = { "verify", "none" })
	void policiesAreLookedAtWhoeverDeclaresTheQueues(String mode) {
		start();
		this.application.close();
		set("policies", "queues", DROP_HEAD);
		assertThatException().isThrownBy(() -> start("rabbit-retry.topology.mode=" + mode))
			.isInstanceOf(UnsafeBrokerPolicyException.class);
	}

	@Test
	void policiesOfABrokerAwayAtStartupAreReportedOnFirstConnection(CapturedOutput output) {
		set("policies", "queues", DROP_HEAD);
		assumeTrue(Broker.shared().canControl());
		Broker.shared().kill();
		try {
			start("rabbit-retry.topology.policies-interval=1h");
			assertThat(unsafePolicies()).isNaN();
		}
		finally {
			Broker.shared().startAgain();
		}
		Awaitility.await().pollInterval(Duration.ofMillis(500)).until(() -> {
			this.application.getBean(RabbitTemplate.class).execute((channel) -> channel.isOpen());
			return unsafePolicies() > 0;
		});
		assertThat(health().getStatus().getCode()).isEqualTo("DOWN");
		assertThat(output).containsPattern("ERROR.*Broker policies would lose messages:");
	}

	@Test
	void aUserWhoMayNotReadPoliciesIsWarnedAboutAtStartup(CapturedOutput output) {
		set("policies", "queues", DROP_HEAD);
		start("rabbit-retry.broker.management-username=nobody", "rabbit-retry.broker.management-password=s3cret");
		assertThat(unsafePolicies()).isNaN();
		assertThat(output).containsPattern("WARN.*Cannot check broker policies.*HTTP status 401.*User 'nobody'")
			.doesNotContain("s3cret");
	}

	@Test
	void aManagementApiThatDoesNotAnswerHoldsStartupForSecondsOnly(CapturedOutput output) throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Instant begin = Instant.now();
			start("rabbit-retry.broker.management-url=http://127.0.0.1:" + silent.getLocalPort());
			assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(15));
			assertThat(output).containsPattern("WARN.*Cannot check broker policies.*timed out");
		}
	}

	@Test
	void withoutAnAddressTheUsualPortIsTriedAndTheKeyIsNamed(CapturedOutput output) {
		assumeTrue(Broker.shared().managementUri().orElseThrow().getPort() != 15672);
		start("rabbit-retry.broker.management-url=");
		assertThat(output)
			.containsPattern("INFO.*Cannot check broker policies.*:15672/.*Set rabbit-retry.broker.management-url");
	}

	private static void set(String kind, String applyTo, String definition) {
		Broker.shared()
			.management()
			.put("/api/" + kind + "/%2F/" + POLICY,
					"{\"pattern\":\"^unsafe\\\\.order\",\"apply-to\":\"%s\",\"definition\":%s}".formatted(applyTo,
							definition));
	}

	/** The broker itself tells, not the statistics, which lag behind. */
	private static List<String> effective(String... ends) {
		List<String> names = Stream.of(ends).map((end) -> QUEUE + end + "\t").toList();
		return Broker.shared()
			.ctl("list_queues", "--quiet", "name", "effective_policy_definition")
			.lines()
			.filter((line) -> names.stream().anyMatch(line::startsWith))
			.toList();
	}

	private double unsafePolicies() {
		return this.application.getBean(MeterRegistry.class).get("rabbit.retry.unsafe.policies").gauge().value();
	}

	private Health health() {
		return this.application.getBean("rabbitRetryHealthIndicator", HealthIndicator.class).health(true);
	}

	private void start(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.dead-letter-consumer.enabled=false",
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.max-retry-age=1m"));
		if (Stream.of(properties).noneMatch((property) -> property.contains("management-url"))) {
			arguments.add("rabbit-retry.broker.management-url=http://127.0.0.1:"
					+ Broker.shared().managementUri().orElseThrow().getPort());
		}
		arguments.addAll(List.of(properties));
		this.application = TestApplication.start(Application.class, arguments.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
