/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.export.Role;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.permission.PermissionPattern;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.it.TestCommand;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistrar;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Nothing is wrong with what the application declares, whatever it is configured to.
 */
@ExtendWith(OutputCaptureExtension.class)
class HealthyTopologyIntegrationTests {

	private static final String VIRTUAL_HOST = "doctor-healthy";

	private static final String USER = "doctor-healthy";

	private static final List<String> LONG_NAMES = Stream
		.of("customer-relationship", "warehouse-management", "payment-settlement", "shipment-tracking")
		.flatMap((domain) -> Stream.of("create", "cancel", "confirm", "reschedule", "archive")
			.map((verb) -> "acme-commerce.%s.%s-order-command.v1".formatted(domain, verb)))
		.toList();

	private final Management management = Broker.shared().management();

	@BeforeEach
	void create() {
		assumeTrue(Broker.shared().canControl());
		this.management.put("/api/vhosts/" + VIRTUAL_HOST, "{}");
		this.management.put("/api/users/" + USER,
				"{\"password\":\"%s\",\"tags\":\"administrator\"}".formatted(TestCommand.PASSWORD));
		this.management.put("/api/permissions/%s/%s".formatted(VIRTUAL_HOST, USER),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		this.management.put("/api/permissions/%s/%s".formatted(VIRTUAL_HOST, Broker.shared().username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
	}

	@AfterEach
	void remove() {
		this.management.delete("/api/vhosts/" + VIRTUAL_HOST);
		this.management.delete("/api/users/" + USER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ring=shared", "retry-backoff=exponential-jitter",
			"ordering=queue retry-backoff=fixed initial-delay=1s broker-attempts=2", "work-queue=existing",
			"work-queue=existing ring=shared", "broker-attempts=0", "exchange=orders rejection.exchange=rejected" })
	void hasNoFindingButAUserWhoMayDoTooMuch(String policy) {
		try (ConfigurableApplicationContext application = start(policy)) {
			TopologyDoctor doctor = application.getBean(TopologyDoctor.class);
			Awaitility.await()
				.atMost(Duration.ofSeconds(40))
				.untilAsserted(
						() -> assertThat(doctor.examine().findings()).extracting(Finding::code)
							.containsExactlyInAnyOrder(policy.contains("existing")
									? new String[] { "dead-letters-lost", "permission-broad" }
									: new String[] { "permission-broad" }));
			doctor.examine().findings().forEach((finding) -> finding.commands().forEach(PrintedCommand::run));
			permitWhatIsNeeded(ExpectedTopology.of(application.getBean(ApplicationTopology.class), USER));
			this.management.put("/api/users/" + USER,
					"{\"password\":\"%s\",\"tags\":\"management\"}".formatted(TestCommand.PASSWORD));
			Awaitility.await()
				.atMost(Duration.ofSeconds(40))
				.untilAsserted(() -> assertThat(doctor.examine().findings()).isEmpty());
			assertThat(doctor.examine().unexamined()).isEmpty();
		}
		// with these permissions
		try (ConfigurableApplicationContext again = start(policy)) {
			assertThat(again.isRunning()).isTrue();
		}
	}

	private void permitWhatIsNeeded(ExpectedTopology expected) {
		this.management.put("/api/permissions/%s/%s".formatted(VIRTUAL_HOST, USER),
				Json.write(
						Map.of("configure", PermissionPattern.of(expected.permissions().configure(), expected.types()),
								"write", ".*", "read", ".*")));
	}

	@Test
	void doesNotAccuseOthersOfWhatTheyNeed() {
		try (ConfigurableApplicationContext other = start("queue=other");
				ConfigurableApplicationContext application = start("")) {
			String exchange = "/api/exchanges/%s/order.delay.events".formatted(VIRTUAL_HOST);
			this.management.put(exchange, "{\"type\":\"topic\"}");
			this.management.post("/api/bindings/%s/e/order.delay.events/q/other".formatted(VIRTUAL_HOST),
					"{\"routing_key\":\"#\"}");
			for (ConfigurableApplicationContext one : List.of(other, application)) {
				TopologyDoctor doctor = one.getBean(TopologyDoctor.class);
				Awaitility.await()
					.atMost(Duration.ofSeconds(40))
					.untilAsserted(() -> assertThat(doctor.examine().findings()).extracting(Finding::code)
						.containsExactlyInAnyOrder("permission-broad"));
			}
		}
	}

	@Test
	void errorsAreLoggedOnceAfterStartup(CapturedOutput output) {
		try (ConfigurableApplicationContext application = start("")) {
			this.management.delete("/api/bindings/%s/e/order.retry/q/order/order".formatted(VIRTUAL_HOST));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> output.toString().contains("Topology doctor: 1 errors"));
			assertThat(output.toString().lines().filter((line) -> line.contains("Topology doctor: "))).first()
				.asString()
				.contains("ERROR",
						"binding-missing: Queue 'order' is not bound to exchange 'order.retry' with key 'order'. Bind it.");
		}
	}

	@Test
	void nothingIsExaminedAtStartupIfNobodyWantsThat() {
		String startupCheck = "topology.startup-check=";
		// one of another test may still run
		Awaitility.await().until(() -> !examining());
		try (ConfigurableApplicationContext application = start("", startupCheck + "false")) {
			assertThat(examining()).isFalse();
		}
		try (ConfigurableApplicationContext application = start("", startupCheck + "true")) {
			assertThat(examining()).isTrue();
		}
		Awaitility.await().until(() -> !examining());
	}

	private static boolean examining() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().startsWith("rabbit-retry-doctor"));
	}

	/**
	 * With 20 message types, whose names make patterns that RabbitMQ 4.3 would refuse.
	 */
	@Test
	void hasNoFindingAfterAnExportIsImported() {
		String[] types = LONG_NAMES.stream()
			.map((name) -> "message-policies.[%s].queue=%s".formatted(name, name))
			.toArray(String[]::new);
		List<Role> roles = List.of(Role.TOPOLOGY, Role.WORKER, Role.OPERATOR, Role.MONITOR);
		try (ConfigurableApplicationContext configured = start(Idle.class, Broker.shared().username(),
				Stream
					.concat(Stream.of(types),
							Stream.of("topology.mode=none", "topology.policies=ignore",
									"dead-letter-consumer.enabled=false"))
					.toArray(String[]::new))) {
			BrokerExport export = new BrokerExport(configured.getBean(ApplicationTopology.class).types(),
					new ExportOptions("healthy", VIRTUAL_HOST, false, List.of(), List.of()));
			this.management.post("/api/definitions", Json.write(export.definitions()));
			TestCommand.run(export.permissionCommands(roles), () -> {
			});
		}
		try (ConfigurableApplicationContext worker = start(Listening.class, "healthy-worker",
				Stream.concat(Stream.of(types), Stream.of("topology.mode=verify")).toArray(String[]::new))) {
			TopologyDoctor doctor = worker.getBean(TopologyDoctor.class);
			Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(doctor.examine().findings()).isEmpty();
				assertThat(doctor.examine().unexamined()).isEmpty();
			});
		}
		finally {
			roles.forEach(
					(role) -> this.management.delete("/api/users/healthy-" + role.name().toLowerCase(Locale.ROOT)));
		}
	}

	private static ConfigurableApplicationContext start(String policy, String... more) {
		List<String> properties = new ArrayList<>();
		if (!policy.startsWith("queue=")) {
			properties.add("message-policies.Order.queue=order");
		}
		Stream.of(policy.split(" "))
			.filter((property) -> !property.isEmpty())
			.forEach((property) -> properties.add("message-policies.Order." + property));
		properties.addAll(List.of(more));
		return start(Application.class, USER, properties.toArray(String[]::new));
	}

	private static ConfigurableApplicationContext start(Class<?> application, String user, String... properties) {
		Broker broker = Broker.shared();
		String password = user.equals(broker.username()) ? broker.password() : TestCommand.PASSWORD;
		URI uri = broker.managementUri().orElseThrow();
		List<String> arguments = new ArrayList<>(List.of("--spring.rabbitmq.host=" + broker.host(),
				"--spring.rabbitmq.port=" + broker.port(), "--spring.rabbitmq.username=" + user,
				"--spring.rabbitmq.password=" + password, "--spring.rabbitmq.virtual-host=" + VIRTUAL_HOST,
				"--management.endpoints.web.exposure.include=retrytopology",
				"--rabbit-retry.broker.management-url=http://%s:%d".formatted(uri.getHost(), uri.getPort()),
				"--rabbit-retry.broker.management-username=" + broker.username(),
				"--rabbit-retry.broker.management-password=" + broker.password()));
		Stream.of(properties).forEach((property) -> arguments.add("--rabbit-retry." + property));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ConditionalOnProperty(name = "rabbit-retry.message-policies.Order.work-queue", havingValue = "existing")
		Queue order() {
			return new Queue("order", true, false, false, Map.of());
		}

		@RabbitListener(queues = "${rabbit-retry.message-policies.Order.queue}")
		void handle(String body) {
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Idle {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Listening implements RabbitListenerConfigurer {

		@Override
		public void configureRabbitListeners(RabbitListenerEndpointRegistrar registrar) {
			LONG_NAMES.forEach((name) -> {
				SimpleRabbitListenerEndpoint endpoint = new SimpleRabbitListenerEndpoint();
				endpoint.setId(name);
				endpoint.setQueueNames(name);
				endpoint.setMessageListener((message) -> {
				});
				registrar.registerEndpoint(endpoint);
			});
		}

	}

}
