/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DirectServiceTests {

	@TempDir
	private Path folder = Path.of("");

	private static void refused(@Nullable Path config, @Nullable String broker, @Nullable String database,
			String... says) {
		refusedWith(new DirectSettings(config, broker, database, null, false, false), says);
	}

	private static void refusedWith(DirectSettings settings, String... says) {
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> DirectService.open(settings).close())
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
	void aBrokerAloneDoesNotTellWhichParkingLotsThereAre() {
		refused(null, "amqp://127.0.0.1", null, "rabbit-retry.message-policies", "--config");
	}

	@Test
	void passwordsAreNoArguments() {
		refused(null, "amqp://ops:s3cret@127.0.0.1", null, "SPRING_RABBITMQ_PASSWORD");
		refused(null, null, "jdbc:postgresql://127.0.0.1/orders?user=ops&password=s3cret",
				"SPRING_DATASOURCE_PASSWORD");
		refused(null, null, "jdbc:postgresql://ops:s3cret@127.0.0.1/orders", "SPRING_DATASOURCE_PASSWORD");
	}

	@Test
	void whatIsNoAddressIsRefused() {
		refused(null, "http://127.0.0.1", null, "amqp://user@host");
		refused(null, null, "postgresql://127.0.0.1", "jdbc:postgresql");
		refused(this.folder.resolve("none.yml"), null, null, "can be read");
		refused(this.folder, null, null, "can be read");
	}

	@Test
	void jobsBelongToAnApplication() throws Exception {
		Path config = config("rabbit-retry.message-policies.Order: {queue: order, owner: team}");
		refusedWith(new DirectSettings(config, null, null, null, false, true), "spring.application.name",
				"--application");
	}

	@Test
	void aConfigurationThatIsNotValidIsExplained() throws Exception {
		refused(config("""
				spring.application.name: orders
				rabbit-retry.message-policies.Order: {queue: order, owner: team, broker-attempts: -1}"""), null, null,
				"broker-attempts");
		refused(config("a: [b"), null, null, "The configuration is not valid");
	}

	@Test
	void whatTheServiceTakesFromItsSurroundingsIsAskedFor() throws Exception {
		refused(config("""
				spring.application.name: orders
				spring.rabbitmq: {username: orders, password: "${NO_SUCH_PASSWORD}"}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, null,
				"spring.rabbitmq.password needs NO_SUCH_PASSWORD");
		refused(config("""
				spring.application.name: orders
				spring.datasource.url: "jdbc:postgresql://${NO_SUCH_HOST}:${PORT:5432}/orders"
				spring.datasource.password: "s3cret${SUFFIX:}"
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, null,
				"spring.datasource.url needs NO_SUCH_HOST");
		refused(config("""
				spring.application.name: ${NO_SUCH_NAME}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, null, "NO_SUCH_NAME");
	}

	@Test
	void whatTheQueuesAreCalledIsAskedForToo() throws Exception {
		refused(config("""
				spring.application.name: orders
				rabbit-retry.message-policies.Order: {queue: "${NO_SUCH_QUEUE}", owner: team}"""), null, null,
				"queue needs NO_SUCH_QUEUE");
		refused(config("""
				spring.application.name: orders
				rabbit-retry.defaults: {schedule: [10s, "${NO_SUCH_DELAY}"], retry-backoff: schedule}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, null,
				"needs NO_SUCH_DELAY");
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
		try (DirectService service = DirectService.open(new DirectSettings(config, null, null, null, false, false))) {
			assertThat(service.ask(Request.read(Map.of(), "replays")).path("note").asString()).contains("no ledger");
		}
	}

	@Test
	void anExportNeedsNeitherBrokerNorDatabaseNorTheirPasswords() throws Exception {
		Path config = config(
				"""
						spring.application.name: orders
						spring.rabbitmq: {host: "${NO_SUCH_HOST}", username: orders, password: "${NO_SUCH_PASSWORD}", virtual-host: shop}
						spring.datasource.url: "jdbc:postgresql://${NO_SUCH_HOST}/orders"
						rabbit-retry.topology.arguments: minimal
						rabbit-retry.message-policies.Order: {queue: order, owner: team}""");
		try (DirectService service = DirectService
			.openOffline(new DirectSettings(config, null, null, null, false, false))) {
			assertThat(service.ask(Request.read(Map.of(), "retryexport", "definitions")).toString())
				.contains("\"vhost\":\"shop\"", "\"policies\":[", "rabbit-retry-order.parking-lot");
			assertThat(service.ask(Request.read(Map.of("commands", "true"), "retryexport", "permissions"))
				.path("commands")
				.toString()).contains("add_user 'orders-worker'", "-p 'shop'", "parking-lot", "set_topic_permissions");
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "retryexport", "secrets")))
				.withMessageContaining("definitions, policies, permissions")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.NOT_FOUND));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of("roles", "root"), "retryexport", "permissions")))
				.withMessageContaining("topology, worker, operator, monitor");
		}
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
			try (DirectService service = DirectService
				.openOffline(new DirectSettings(config, null, null, null, false, false))) {
				assertThat(service.ask(Request.read(Map.of(), "retryexport", "policies")).toString())
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
			PlannedService.open(List.of(config), false).close();
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
			.isThrownBy(
					() -> DirectService.openOffline(new DirectSettings(config, null, null, null, false, false)).close())
			.withMessageContaining("spring.rabbitmq.addresses needs NO_SUCH_HOST");
	}

	@Test
	void oldReplaysAreLeftToTheServiceWhoseRetentionMayNotBeKnownHere() throws Exception {
		for (String retention : new String[] { "90d", "${NO_SUCH_RETENTION}" }) {
			Path config = config("""
					spring.application.name: orders
					spring.rabbitmq.addresses: amqp://127.0.0.1:1
					rabbit-retry:
					  replay.retention: "%s"
					  message-policies.Order: {queue: order, owner: team}""".formatted(retention));
			try (ConfigurableApplicationContext context = DirectApplication
				.start(new DirectSettings(config, null, null, null, false, false))) {
				assertThat(context.getEnvironment().getProperty("rabbit-retry.replay.retention")).isEqualTo("36500d");
			}
		}
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
				management.endpoint.replays.access: none
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(log));
		try (DirectService service = DirectService.open(new DirectSettings(config, null, null, null, false, false))) {
			assertThat(service.ask(Request.read(Map.of(), "replays")).path("note").asString()).contains("no ledger");
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "parkinglot")))
				.withMessageContaining("--verbose")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "waitingretries")))
				.withMessageContaining("The broker can't be used now: ")
				.withMessageContaining("refused")
				.withMessageNotContaining("log")
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
			assertThatExceptionOfType(ServiceException.class)
				.isThrownBy(() -> service.ask(Request.read(Map.of(), "shutdown")))
				.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.NOT_FOUND));
		}
		assertThat(log).doesNotExist();
	}

	@Test
	void toWorkOnReplaysTheBrokerHasToBeThere() throws Exception {
		Path config = config("""
				spring.application.name: orders
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""");
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(
					() -> DirectService.open(new DirectSettings(config, "amqp://127.0.0.1:1", null, null, false, true))
						.close())
			.withMessageContaining("127.0.0.1:1")
			.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
	}

	@Test
	void aDatabaseThatIsNotThereIsNotCreated() throws Exception {
		Path database = this.folder.resolve("data").resolve("orders");
		Path config = config("""
				spring.application.name: orders
				spring.rabbitmq.addresses: amqp://127.0.0.1:1
				spring.datasource.url: "jdbc:h2:%s;INIT=CREATE SCHEMA IF NOT EXISTS a\\\\;CREATE TABLE t(i int)"
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(database));
		assertThatExceptionOfType(ServiceException.class)
			.isThrownBy(() -> DirectService.open(new DirectSettings(config, null, null, null, false, false)).close())
			.withMessageContainingAll("There is no database", database.toString(), "none is created")
			.satisfies((ex) -> assertThat(ex.exitCode()).isEqualTo(ExitCode.UNAVAILABLE));
		assertThat(database.getParent()).doesNotExist();
	}

	@Test
	void inADatabaseThatIsThereNoTableIsCreated() throws Exception {
		String url = "jdbc:h2:" + this.folder.resolve("orders");
		DriverManager.getConnection(url).close();
		Path config = config("""
				spring.application.name: orders
				spring.rabbitmq.addresses: amqp://127.0.0.1:1
				spring.datasource.url: "%s;IFEXISTS=FALSE;INIT=CREATE TABLE t(i int)"
				rabbit-retry.ledger.initialize-schema: always
				rabbit-retry.ledger.enabled: true
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(url));
		assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> {
			try (DirectService service = DirectService
				.open(new DirectSettings(config, null, null, null, false, false))) {
				service.ask(Request.read(Map.of(), "replays"));
			}
		});
		try (Connection connection = DriverManager.getConnection(url);
				ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
			assertThat(tables.next()).as("a table").isFalse();
		}
	}

	@Test
	void theDatabaseOfAServicesMemoryIsOnlyThere() throws Exception {
		refused(config("""
				spring.application.name: orders
				spring.datasource.url: jdbc:h2:mem:orders
				rabbit-retry.message-policies.Order: {queue: order, owner: team}"""), null, null, "--url");
	}

	@Test
	void aFileThatTheServiceHasOpenIsSaidToBe() throws Exception {
		String url = "jdbc:h2:" + this.folder.resolve("locked");
		DriverManager.getConnection(url).close();
		Path config = config("""
				spring.application.name: orders
				spring.rabbitmq.addresses: amqp://127.0.0.1:1
				spring.datasource.url: %s
				rabbit-retry.message-policies.Order: {queue: order, owner: team}""".formatted(url));
		try (FileChannel file = FileChannel.open(this.folder.resolve("locked.mv.db"), StandardOpenOption.READ,
				StandardOpenOption.WRITE); FileLock lock = file.lock()) {
			assertThat(lock.isValid()).isTrue();
			assertThatExceptionOfType(ServiceException.class).isThrownBy(() -> {
				try (DirectService service = DirectService
					.open(new DirectSettings(config, null, null, null, false, false))) {
					service.ask(Request.read(Map.of(), "parkinglot"));
				}
			}).withMessageContaining("while the service runs, ask it (--url)");
		}
	}

}
