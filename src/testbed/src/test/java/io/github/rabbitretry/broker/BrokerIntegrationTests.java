/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Against a real broker, whichever way this machine has one.
 */
class BrokerIntegrationTests {

	private static final Pattern DATA = Pattern.compile("; data in (\\S+)");

	@Test
	void aBrokerAnswersOnAllItsPortsUntilItIsClosed() throws Exception {
		try (Broker broker = Broker.start()) {
			assertThat(AmqpGreeting.version(AmqpAddress.parse(broker.amqpUri().toString()), Duration.ofSeconds(5)))
				.isEqualTo(broker.version());
			assertThat(broker.description()).contains(broker.version(), String.valueOf(broker.port()));
			if (broker.managementUri().isPresent()) {
				assertThat(broker.management().get("/api/overview"))
					.contains("\"rabbitmq_version\":\"" + broker.version() + "\"");
			}
			if (broker.prometheusUri().isPresent()) {
				assertThat(read(broker.prometheusUri().get())).contains("rabbitmq_build_info");
			}
		}
	}

	@Test
	void theManagementClientCreatesReadsAndDeletes() {
		try (Broker broker = Broker.start()) {
			assumeThat(broker.managementUri()).isPresent();
			Management management = broker.management();
			String queue = "/api/queues/%2F/broker-tests";
			management.put(queue, "{\"durable\":true}");
			management.post("/api/exchanges/%2F/amq.default/publish", """
					{"properties":{},"routing_key":"broker-tests","payload":"hello","payload_encoding":"string"}""");
			assertThat(management.post(queue + "/get", """
					{"count":1,"ackmode":"ack_requeue_false","encoding":"auto"}""")).contains("\"payload\":\"hello\"");
			management.delete(queue);
			management.delete(queue);
			assertThatIllegalStateException().isThrownBy(() -> management.get(queue))
				.withMessageContaining("was answered with 404 instead of a success");
		}
	}

	@Test
	void aKilledNodeComesBackOnItsPortsWithItsData() {
		try (Broker broker = Broker.start()) {
			assumeThat(broker.canControl()).isTrue();
			assertThat(broker.ctl("-q", "list_vhosts")).contains("/");
			assertThatIllegalStateException().isThrownBy(() -> broker.ctl("no_such_command"))
				.withMessageContaining("rabbitmqctl no_such_command failed");
			broker.memoryAlarm(true);
			assertThat(broker.ctl("-q", "eval", "rabbit_alarm:get_alarms().")).contains("resource_limit,memory");
			broker.memoryAlarm(false);
			assertThat(broker.ctl("-q", "eval", "rabbit_alarm:get_alarms().")).contains("[]");
			broker.ctl("add_vhost", "kept");
			URI before = broker.amqpUri();
			broker.kill();
			broker.kill();
			assertThat(answers(broker)).isFalse();
			broker.startAgain();
			broker.startAgain();
			assertThat(broker.amqpUri()).isEqualTo(before);
			assertThat(broker.ctl("-q", "list_vhosts")).contains("kept");
		}
	}

	@Test
	void closeEndsEveryProcessAndRemovesTheData() {
		List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
		Broker broker = Broker.start();
		Path data = dataOf(broker.description());
		List<ProcessHandle> started = ProcessHandle.current()
			.descendants()
			.filter((process) -> !before.contains(process))
			.toList();
		assertThat(started).hasSizeGreaterThanOrEqualTo(3);
		broker.close();
		broker.close();
		assertThat(started).allSatisfy((process) -> assertThat(becomes(() -> !process.isAlive())).isTrue());
		assertThat(data).doesNotExist();
	}

	@Test
	void theNodeAndItsDataVanishWhenTheJvmIsKilled() throws Exception {
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				RunBroker.class.getName())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try {
			Path data = dataOf(String.valueOf(jvm.inputReader().readLine()));
			List<ProcessHandle> started = jvm.descendants().toList();
			assertThat(started).hasSizeGreaterThanOrEqualTo(3);
			assertThat(data).isDirectory();
			jvm.destroyForcibly().waitFor();
			assertThat(started).allSatisfy((process) -> assertThat(becomes(() -> !process.isAlive())).isTrue());
			assertThat(becomes(() -> Files.notExists(data))).isTrue();
		}
		finally {
			endGently(jvm);
		}
	}

	@Test
	void theSharedBrokerIsOneAndOutlivesItsClosing() {
		Broker broker = Broker.shared();
		broker.close();
		assertThat(Broker.shared()).isSameAs(broker);
		assertThat(answers(broker)).isTrue();
	}

	private static boolean answers(Broker broker) {
		try {
			AmqpGreeting.version(AmqpAddress.parse(broker.amqpUri().toString()), Duration.ofSeconds(2));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Only a private node has a folder and processes of its own. */
	private static Path dataOf(String description) {
		Matcher matcher = DATA.matcher(description);
		assumeThat(matcher.find()).as(description).isTrue();
		return Path.of(matcher.group(1));
	}

	/** A container would stay if the JVM were killed and Ryuk did not run. */
	private static void endGently(Process jvm) throws Exception {
		if (jvm.isAlive()) {
			jvm.outputWriter().close();
			jvm.waitFor(30, TimeUnit.SECONDS);
		}
		jvm.destroyForcibly();
	}

	private static boolean becomes(BooleanSupplier condition) {
		long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
		return true;
	}

	private static String read(URI uri) throws Exception {
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

}
