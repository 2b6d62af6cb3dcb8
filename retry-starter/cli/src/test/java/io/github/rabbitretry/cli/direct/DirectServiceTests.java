/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DirectServiceTests {

	@TempDir
	private Path folder = Path.of("");

	private static DirectSettings settings(Path config) {
		return new DirectSettings(List.of(config), null, null, false);
	}

	private static void refused(Path config, @Nullable String broker, String... says) {
		DirectSettings settings = new DirectSettings(List.of(config), broker, null, false);
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> DirectService.open(settings, false).close())
			.satisfies((ex) -> {
				assertThat(ex).hasMessageContainingAll(says);
				assertThat(ex.exitCode()).isEqualTo(ExitCode.USAGE);
				assertThat(ex.getMessage()).doesNotContain("s3cret");
			});
	}

	private Path config(String yaml) throws Exception {
		return Files.writeString(this.folder.resolve("application.yml"), yaml);
	}

	@Test
	void passwordsAreNoArguments() throws Exception {
		refused(config(""), "amqp://ops:s3cret@127.0.0.1", "SPRING_RABBITMQ_PASSWORD");
	}

	@Test
	void whatIsNoAddressIsRefused() throws Exception {
		refused(config(""), "http://127.0.0.1", "amqp://user@host");
		refused(this.folder.resolve("none.yml"), null, "can be read");
		refused(this.folder, null, "can be read");
		refused(config("a: b"), null, "rabbit-retry.message-policies is not set");
	}

	@Test
	void aConfigurationThatIsNotValidIsExplained() throws Exception {
		refused(config("""
				spring.application.name: orders
				rabbit-retry.message-policies.Order: {queue: order, owner: team, broker-attempts: -1}"""), null,
				"broker-attempts");
		refused(config("a: [b"), null, "The configuration is not valid");
	}

	@Test
	void whatTheServiceTakesFromItsSurroundingsIsAskedFor() throws Exception {
		refused(config("""
				spring.application.name: orders
				spring.rabbitmq: {username: orders, password: "${NO_SUCH_PASSWORD}"}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null,
				"spring.rabbitmq.password needs NO_SUCH_PASSWORD");
		refused(config("""
				spring.application.name: ${NO_SUCH_NAME}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, "NO_SUCH_NAME");
	}

	@Test
	void whatTheQueuesAreCalledIsAskedForToo() throws Exception {
		refused(config("""
				spring.application.name: orders
				rabbit-retry.message-policies.Order: {queue: "${NO_SUCH_QUEUE}", owner: team}"""), null,
				"queue needs NO_SUCH_QUEUE");
		refused(config("""
				spring.application.name: orders
				rabbit-retry.defaults: {schedule: [10s, "${NO_SUCH_DELAY}"], retry-backoff: schedule}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, "needs NO_SUCH_DELAY");
	}

	@Test
	void whatOnlyTheServiceItselfNeedsMayBeMissing() throws Exception {
		Path config = config(
				"""
						spring.application.name: orders
						spring.rabbitmq.addresses: amqp://127.0.0.1:1
						rabbit-retry:
						  handler-version: "${NO_SUCH_BUILD}"
						  broker: {management-username: monitor, management-password: "${NO_SUCH_PASSWORD}", consumer-timeout: 3h}
						  defaults.handler-timeout: 1h
						  classification.rules:
						  - {exception: java.io.IOException, failure-class: transient, reason: "${NO_SUCH_REASON}"}
						  message-policies:
						    Order: {queue: order, owner: "${NO_SUCH_TEAM}", handler-timeout: "${NO_SUCH_TIME}"}""");
		try (DirectService service = DirectService.open(settings(config), false)) {
			assertThat(service.ask(Request.read(Map.of(), "retryexport", "definitions")).toString())
				.contains("order.parking-lot");
		}
	}

	@Test
	void anExportNeedsNeitherBrokerNorDatabaseNorTheirPasswords() throws Exception {
		Path config = config(
				"""
						spring.application.name: orders
						spring.rabbitmq: {host: "${NO_SUCH_HOST}", username: orders, password: "${NO_SUCH_PASSWORD}", virtual-host: shop}
						spring.datasource.url: "jdbc:postgresql://${NO_SUCH_HOST}/orders"
						rabbit-retry.ledger.enabled: true
						rabbit-retry.message-policies.Order: {queue: order, owner: team, exact-delays: true}""");
		try (DirectService service = DirectService.open(settings(config), true)) {
			assertThat(service.ask(Request.read(Map.of(), "retryexport", "definitions")).toString())
				.contains("\"vhost\":\"shop\"", "order.parking-lot");
			assertThat(service.ask(Request.read(Map.of(), "retryexport", "permissions")).path("commands").toString())
				.contains("add_user 'orders-worker'", "-p 'shop'", "parking-lot", "set_topic_permissions");
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "retryexport", "secrets")))
				.withMessageContaining("definitions, permissions")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.NOT_FOUND));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of("roles", "root"), "retryexport", "permissions")))
				.withMessageContaining("topology, worker, operator, monitor");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"{enabled: true, key-store: 'classpath:client.p12', key-store-password: '${NO_SUCH_PASSWORD}', trust-store: 'file:/nowhere/trust.p12'}",
			"{bundle: broker}", "{bundle: of-the-platform}" })
	void whatConnectsToNothingOpensNoKeyStore(String ssl) throws Exception {
		Path config = config("""
				spring.application.name: orders
				spring.rabbitmq: {addresses: "amqps://127.0.0.1:1/shop", ssl: %s}
				spring.ssl.bundle.jks.broker:
				  reload-on-update: true
				  keystore: {location: "file:/nowhere/client.p12", password: "${NO_SUCH_PASSWORD}"}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(ssl));
		try (DirectService service = DirectService.open(settings(config), true)) {
			assertThat(service.ask(Request.read(Map.of(), "retryexport", "definitions")).toString())
				.contains("\"vhost\":\"shop\"", "order.parking-lot");
		}
		assertThat(ConfiguredPolicies.read(List.of(config))
			.simulate("Order", Map.of("rate", "1/s", "outage", "1s"))
			.path("messages")
			.asInt()).isPositive();
	}

	@Test
	void anExportConnectsToNobody() throws Exception {
		try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Path config = config("""
					spring.application.name: orders
					spring.rabbitmq.addresses: "amqp://127.0.0.1:%1$d"
					spring.datasource.url: "jdbc:postgresql://127.0.0.1:%1$d/orders"
					rabbit-retry:
					  broker.management-url: "http://127.0.0.1:%1$d"
					  topology.policies: fail
					  message-policies.Order: {queue: order, owner: team}""".formatted(broker.getLocalPort()));
			try (DirectService service = DirectService.open(settings(config), true)) {
				assertThat(service.ask(Request.read(Map.of(), "retryexport", "permissions")).toString())
					.contains("parking-lot");
			}
			broker.setSoTimeout(1);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(broker::accept);
		}
	}

	@Test
	void aSimulationConnectsToNobody() throws Exception {
		Path config = config("rabbit-retry.message-policies.Order: {queue: order, owner: team}");
		try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			System.setProperty("spring.rabbitmq.port", String.valueOf(broker.getLocalPort()));
			ConfiguredPolicies.read(List.of(config)).simulate("Order", Map.of("rate", "1/s", "outage", "1s"));
			broker.setSoTimeout(1);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(broker::accept);
		}
		finally {
			System.clearProperty("spring.rabbitmq.port");
		}
	}

	@Test
	void theVirtualHostOfAnExportIsAskedFor() throws Exception {
		Path config = config("""
				spring.application.name: orders
				spring.rabbitmq.addresses: "amqp://${NO_SUCH_HOST}/shop"
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""");
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> DirectService.open(settings(config), true).close())
			.withMessageContaining("spring.rabbitmq.addresses needs NO_SUCH_HOST");
	}

	@Test
	void whatTheServiceLogsWhereAndWhatElseItRunsIsNotForThisProcess() throws Exception {
		Path log = this.folder.resolve("service.log");
		Path config = config("""
				spring.application.name: orders
				spring.main.web-application-type: servlet
				spring.rabbitmq.addresses: amqp://127.0.0.1:1
				logging.file.name: %s
				logging.level.root: debug
				server.port: 1
				management.endpoints.access.max-permitted: none
				management.endpoints.web.exposure.exclude: "*"
				management.endpoint.retrytopology.access: none
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(log));
		try (DirectService service = DirectService.open(settings(config), false)) {
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "retrytopology")))
				.withMessageContaining("The broker can't be used now: ")
				.withMessageContaining("refused")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "parkinglot")))
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.NOT_FOUND));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "shutdown")))
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.NOT_FOUND));
		}
		assertThat(log).doesNotExist();
	}

}
