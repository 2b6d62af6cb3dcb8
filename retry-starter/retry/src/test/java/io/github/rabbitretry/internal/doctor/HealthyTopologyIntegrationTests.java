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
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
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

	private final Management management = Broker.shared().management();

	@BeforeEach
	void create() {
		assumeTrue(Broker.shared().canControl());
		this.management.put("/api/vhosts/" + VIRTUAL_HOST, "{}");
		this.management.put("/api/users/" + USER, "{\"password\":\"w\",\"tags\":\"administrator\"}");
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
	void hasNoFindingButAUserWhoMayDoTooMuchUntilThePrintedCommandsHaveRun(String policy) {
		try (ConfigurableApplicationContext application = start(policy)) {
			TopologyDoctor doctor = application.getBean(TopologyDoctor.class);
			Awaitility.await()
				.atMost(Duration.ofSeconds(40))
				.untilAsserted(() -> assertThat(doctor.examine().findings()).extracting(Finding::code)
					.containsExactlyInAnyOrder(policy.contains("existing")
							? new String[] { "dead-letters-dropped", "permission-broad", "user-administrator" }
							: new String[] { "permission-broad", "user-administrator" }));
			doctor.examine().findings().forEach((finding) -> finding.commands().forEach(PrintedCommand::run));
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
						.containsExactlyInAnyOrder("permission-broad", "user-administrator"));
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
		String startupCheck = "rabbit-retry.topology.startup-check=";
		try (ConfigurableApplicationContext application = start("", startupCheck + "false")) {
			assertThat(examining()).isFalse();
		}
		try (ConfigurableApplicationContext application = start("", startupCheck + "true")) {
			assertThat(examining()).isTrue();
		}
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> !examining());
	}

	private static boolean examining() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("rabbit-retry-doctor"));
	}

	private static ConfigurableApplicationContext start(String policy, String... more) {
		Broker broker = Broker.shared();
		URI uri = broker.managementUri().orElseThrow();
		List<String> arguments = new ArrayList<>(List.of("--spring.rabbitmq.host=" + broker.host(),
				"--spring.rabbitmq.port=" + broker.port(), "--spring.rabbitmq.username=" + USER,
				"--spring.rabbitmq.password=w", "--spring.rabbitmq.virtual-host=" + VIRTUAL_HOST,
				"--management.endpoints.web.exposure.include=retrytopology",
				"--rabbit-retry.broker.management-url=http://%s:%d".formatted(uri.getHost(), uri.getPort()),
				"--rabbit-retry.broker.management-username=" + broker.username(),
				"--rabbit-retry.broker.management-password=" + broker.password(),
				"--rabbit-retry.message-policies.Order.queue=order"));
		Stream.of(policy.split(" ")).filter((property) -> !property.isEmpty()).forEach((property) -> {
			String argument = "--rabbit-retry.message-policies.Order." + property;
			arguments.removeIf((known) -> known.startsWith(argument.replaceFirst("=.*", "=")));
			arguments.add(argument);
		});
		Stream.of(more).map("--"::concat).forEach(arguments::add);
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
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

}
