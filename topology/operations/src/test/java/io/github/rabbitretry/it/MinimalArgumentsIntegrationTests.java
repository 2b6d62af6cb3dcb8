/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.brokerpolicy.UnsafeBrokerPolicyException;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
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

	private static final String DISPLACING = "/api/policies/%2F/minimal-displacing";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@AfterEach
	void remove() {
		close();
		Application.HANDLED.clear();
		this.broker.deleteAll("minimal");
		this.broker.close();
		Broker.shared().management().delete(DISPLACING);
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
		assertThat(output).containsOnlyOnce("rabbit-retry.topology.arguments: minimal may lose messages");
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
				.contains("rabbit-retry.topology.arguments", "operating-the-topology.md")));
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
	void whilePoliciesAreDisplacedCopiesAreHeldAndNothingSentThenIsLost(CapturedOutput output) {
		importPolicies();
		start(MINIMAL, "rabbit-retry.topology.policies-interval=200ms");
		Sender sender = new Sender();
		try (sender) {
			sender.untilSent(100);
			Set<String> parked = new HashSet<>();
			parked(parked);
			displace(".*");
			Set<String> waiting = new HashSet<>(Application.HANDLED.keySet());
			waiting.removeAll(parked);
			Awaitility.await().until(() -> withheld() > 0);
			int known = sender.sent();
			sender.untilSent(known + 100);
			assertThat(health().getDetails().toString()).contains("publisher-withheld", "unsafe-policy");
			Broker.shared().management().delete(DISPLACING);
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> withheld() == 0);
			sender.untilSent(sender.sent() + 20);
			sender.stop();
			assertThat(output).contains("Copies are published to queue '" + QUEUE + ".retry.200ms' again",
					"/api/queues/%2F/" + QUEUE + ".retry.200ms/get' ");
			// without a time to live they would hold up all others
			bringBack(output);
			List<String> safe = IntStream.range(0, sender.sent())
				.mapToObj(String::valueOf)
				.filter((id) -> !waiting.contains(id))
				.toList();
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(parked(parked)).as("of %d sent", sender.sent()).containsAll(safe));
			assertThat(safe).as("held, and not handled again")
				.allSatisfy((id) -> assertThat(Application.HANDLED.get(id).intValue()).isLessThanOrEqualTo(2));
			assertThat(health().getStatus().getCode()).isEqualTo("UP");
		}
	}

	@Test
	void aPolicyThatOnlyRabbitMqUnderstandsIsTakenForOneThatDisplaces() {
		importPolicies();
		start(MINIMAL, "rabbit-retry.topology.policies-interval=200ms");
		displace("(?|elsewhere|minimal)");
		Awaitility.await().until(() -> unsafePolicies() > 0);
		assertThat(health().getDetails().toString()).contains("policy 'minimal-displacing' may be in effect instead");
		this.broker.sendJson(QUEUE, "held", Map.of(), "{}");
		Awaitility.await().until(() -> withheld() == 1);
	}

	private static void displace(String pattern) {
		Broker.shared()
			.management()
			.put(DISPLACING,
					"{\"pattern\":\"%s\",\"priority\":100,\"definition\":{\"max-length\":100000}}".formatted(pattern));
	}

	/** As the printed command does, word for word. */
	private static void bringBack(CapturedOutput output) {
		Matcher command = Pattern
			.compile("while curl [^']*'http://[^/]*([^']+)' \\| grep -qF '([^']+)' && curl [^']*'http://[^/]*([^']+)'"
					+ " -H '[^']*' -d '([^']+)' \\| grep -q payload; do :; done")
			.matcher(output);
		assertThat(command.find()).isTrue();
		Management management = Broker.shared().management();
		Awaitility.await()
			.until(() -> !management.get(command.group(1)).contains(command.group(2))
					|| !management.post(command.group(3), command.group(4)).contains("payload"));
	}

	/** Displaced between two looks, which are ten seconds apart. */
	@Test
	void aQueueThatAMessageWithoutATimeToLiveHoldsUpIsReported(CapturedOutput output) {
		importPolicies();
		start(MINIMAL);
		String retryQueue = QUEUE + ".retry.200ms";
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
			displaceForASecond();
			Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
			return this.broker.ready(retryQueue) > 0;
		});
		Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.untilAsserted(() -> assertThat(output)
				.contains("Queue '" + retryQueue + "' has only become fuller for longer than its delay"));
		displace(".*");
		Awaitility.await().until(() -> !effectivePolicy(retryQueue).contains("dead-letter-exchange"));
		long standing = this.broker.ready(retryQueue);
		bringBack(output);
		assertThat(this.broker.ready(retryQueue)).as("while RabbitMQ would delete them").isEqualTo(standing);
		Broker.shared().management().delete(DISPLACING);
		this.broker.drain(QUEUE + ".parking-lot");
		AtomicInteger parked = new AtomicInteger();
		Awaitility.await().untilAsserted(() -> {
			bringBack(output);
			parked.addAndGet(this.broker.drain(QUEUE + ".parking-lot").size());
			assertThat(parked).as("brought back").hasValue((int) standing);
		});
	}

	private static String effectivePolicy(String queue) {
		return Broker.shared().management().get("/api/queues/%2F/" + queue + "?columns=effective_policy_definition");
	}

	private void displaceForASecond() {
		try (Sender sender = new Sender()) {
			displace(".*");
			sender.untilSent(50);
			Broker.shared().management().delete(DISPLACING);
		}
	}

	private Set<String> parked(Set<String> parked) {
		this.broker.drain(QUEUE + ".parking-lot").forEach((message) -> parked.add(message.getProps().getMessageId()));
		return parked;
	}

	private double withheld() {
		return this.application.getBean(MeterRegistry.class)
			.get("rabbit.retry.handover.waiting")
			.tag("cause", "publisher-withheld")
			.gauge()
			.value();
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
			Broker.shared()
				.management()
				.post("/api/definitions/%2F",
						Json.write(Map.of("policies", export(configured).definitions(true).get("policies"))));
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
		return new BrokerExport(application.getBean(ApplicationTopology.class).types(),
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

	/** Sends a message every few milliseconds, with its number as id. */
	private static final class Sender implements AutoCloseable {

		private final AtomicInteger sent = new AtomicInteger();

		private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

		private final TestBroker broker = TestBroker.connect();

		Sender() {
			this.thread.scheduleAtFixedRate(() -> {
				this.broker.sendJson(QUEUE, String.valueOf(this.sent.get()), Map.of(), "{}");
				this.sent.incrementAndGet();
			}, 0, 20, TimeUnit.MILLISECONDS);
		}

		int sent() {
			return this.sent.get();
		}

		void untilSent(int number) {
			Awaitility.await().until(() -> sent() >= number);
		}

		void stop() {
			this.thread.shutdown();
			Awaitility.await().until(this.thread::isTerminated);
		}

		@Override
		public void close() {
			stop();
			this.broker.close();
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Idle {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Map<String, LongAdder> HANDLED = new ConcurrentHashMap<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			HANDLED.computeIfAbsent(message.getMessageProperties().getMessageId(), (id) -> new LongAdder()).increment();
			throw new IllegalStateException("never");
		}

	}

}
