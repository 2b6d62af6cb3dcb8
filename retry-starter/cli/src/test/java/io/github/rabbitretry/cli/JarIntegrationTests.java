/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The jar as a repository has it.
 */
class JarIntegrationTests {

	@TempDir
	private Path folder = Path.of("");

	private record Ended(int exitCode, String out) {
	}

	/** The main artifact of the module, which is what gets into a repository. */
	private static Path artifact() throws Exception {
		Path classes = Path.of(JarIntegrationTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (Stream<Path> files = Files.list(classes.resolve("..").normalize())) {
			return files.filter((file) -> file.getFileName().toString().matches("rabbit-retry-cli-.*\\.jar"))
				.findFirst()
				.orElseThrow();
		}
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	private Ended java(List<String> options, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(java()));
		command.addAll(options);
		command.addAll(List.of("-jar", artifact().toAbsolutePath().toString()));
		command.addAll(List.of(arguments));
		return run(command);
	}

	private Ended run(List<String> command) throws Exception {
		Path out = this.folder.resolve("out");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(out.toFile())
			.directory(this.folder.toFile());
		builder.environment().put("LC_ALL", "C");
		Process process = builder.start();
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		return new Ended(process.exitValue(), Files.readString(out));
	}

	@Test
	@Tag("smoke")
	void itRunsAsItIs() throws Exception {
		assertThat(java(List.of(), "--version").out()).startsWith("rabbit-retry ").doesNotContain("sources");
	}

	/** What it tells the jar is no unknown key of Rabbit Retry. */
	@Test
	void itSimulatesAsItsLauncherStartsIt() throws Exception {
		configure();
		Path launcher = artifact().resolve("../../rabbit-retry").normalize();
		Matcher option = Pattern.compile("\"(-D\\S+=)\\$terminals\"").matcher(Files.readString(launcher));
		assertThat(option.find()).isTrue();
		Ended simulated = java(List.of(option.group(1) + "1"), "simulate", "--config", "application.yml", "--policy",
				"Order", "--rate", "1/s", "--outage", "10s");
		assertThat(simulated.exitCode()).as(simulated.out()).isZero();
	}

	/** What takes long to start is not even loaded. */
	@Test
	void aRequestStartsNeitherSpringNorAnotherHeavyLibrary() throws Exception {
		try (Answering service = new Answering()) {
			Ended listed = java(List.of("-Xlog:class+load:file=classes.log"), "parked", "list", "--url", service.url());
			assertThat(listed.exitCode()).as(listed.out()).isZero();
			assertThat(listed.out()).contains("17");
		}
		assertThat(Files.readAllLines(this.folder.resolve("classes.log"))).hasSizeLessThan(2000)
			.noneMatch((line) -> line.matches(
					".* (org\\.springframework|ch\\.qos|java\\.net\\.http|tools\\.jackson\\.databind\\.json\\.JsonMapper).*"));
	}

	/**
	 * Half a second, where what starts Spring takes four; it was more than two. Doubled
	 * for machines that are busy, and compared, since others are slower.
	 */
	@Test
	@EnabledOnOs(OS.LINUX)
	void aRequestTakesLittleProcessorTime() throws Exception {
		configure();
		double spring = processorTime(0, "export", "definitions", "--config", "application.yml");
		List<Double> seconds = new ArrayList<>();
		try (Answering service = new Answering()) {
			for (int run = 0; run < 3; run++) {
				seconds.add(processorTime(0, "parked", "list", "--url", service.url()));
			}
		}
		assertThat(Collections.min(seconds)).as("seconds of processor time in %s, with Spring in %s", seconds, spring)
			.isLessThan(spring / 4);
	}

	private double processorTime(int exitCode, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of("bash", "-c", "TIMEFORMAT='%U %S'; time \"$0\" \"$@\" >/dev/null 2>err", java(), "-jar",
						artifact().toAbsolutePath().toString()));
		command.addAll(List.of(arguments));
		Ended timed = run(command);
		assertThat(timed.exitCode()).as(timed.out()).isEqualTo(exitCode);
		return Arrays.stream(timed.out().strip().split(" ")).mapToDouble(Double::parseDouble).sum();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void anAnswerThatCanNotBeWrittenIsNoSuccess() throws Exception {
		try (Answering service = new Answering()) {
			String command = "'%s' -jar '%s' parked list --url %s ".formatted(java(), artifact().toAbsolutePath(),
					service.url());
			Ended full = run(List.of("bash", "-c", command + "2>&1 >/dev/full"));
			assertThat(full.exitCode()).as(full.out()).isEqualTo(74);
			assertThat(full.out()).contains("the answer could not be written: No space left");
			Ended enough = run(List.of("bash", "-c", command + "| :; exit ${PIPESTATUS[0]}"));
			assertThat(enough.exitCode()).as(enough.out()).isZero();
			assertThat(enough.out()).isEmpty();
		}
	}

	@Test
	void withoutAServiceItStartsSpringOutOfTheSameJar() throws Exception {
		configure();
		Ended permissions = java(List.of(), "export", "permissions", "--roles", "worker", "--config",
				"application.yml");
		assertThat(permissions.exitCode()).as(permissions.out()).isZero();
		assertThat(permissions.out()).as("the ledger reads").contains("'^order(|\\.(dlq|parking-lot|quarantine))$'");
		Ended doctor = java(List.of(), "doctor", "--config", "application.yml");
		assertThat(doctor.exitCode()).as(doctor.out()).isEqualTo(5);
		assertThat(doctor.out()).contains("The broker can't be used now");
	}

	@Test
	void simulationsNeedNoTestLibrary() throws Exception {
		configure();
		Ended simulated = java(List.of(), "simulate", "--policy", "Order", "--rate", "5/s", "--outage", "1m",
				"--config", "application.yml");
		assertThat(simulated.exitCode()).as(simulated.out()).isZero();
		assertThat(simulated.out()).contains("TOTALS", "handler calls");
		try (JarFile jar = new JarFile(artifact().toFile())) {
			assertThat(jar.stream().map(JarEntry::getName))
				.noneMatch((name) -> name.matches("(org/(assertj|awaitility|junit|h2|postgresql)|com/zaxxer)/.*"));
		}
	}

	private void configure() throws Exception {
		Files.writeString(this.folder.resolve("application.yml"), """
				spring.application.name: orders
				spring.rabbitmq.addresses: amqp://127.0.0.1:1
				spring.datasource.url: jdbc:postgresql://127.0.0.1:1/orders
				rabbit-retry.ledger: {initialize-schema: always, enabled: true}
				rabbit-retry.message-policies.Order: {queue: order, owner: team}
				""");
	}

	/** A service that has one parked message. */
	private static final class Answering implements AutoCloseable {

		private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
				10);

		Answering() throws IOException {
			this.server.createContext("/", (exchange) -> {
				byte[] body = "{\"messages\":[{\"id\":17,\"parkedAt\":\"2026-07-01T12:00:00Z\"}]}"
					.getBytes(StandardCharsets.UTF_8);
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
				exchange.close();
			});
			this.server.start();
		}

		String url() {
			return "http://127.0.0.1:%d/actuator".formatted(this.server.getAddress().getPort());
		}

		@Override
		public void close() {
			this.server.stop(0);
		}

	}

}
