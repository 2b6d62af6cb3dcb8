/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.provision.LoopbackPorts;
import org.awaitility.Awaitility;

/**
 * The jar as operators start it, in a folder with their application.yml.
 */
final class ConsoleProcess implements AutoCloseable {

	private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

	private final Path folder;

	private final int port = LoopbackPorts.free(1)[0];

	private final Process process;

	private ConsoleProcess(Path folder, Map<String, String> environment) throws IOException {
		this.folder = folder;
		ProcessBuilder builder = new ProcessBuilder(JAVA.toString(), "-XX:TieredStopAtLevel=1", "-jar",
				jar().toString(), "--server.port=" + this.port)
			.directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("log").toFile());
		builder.environment().putAll(environment);
		this.process = builder.start();
	}

	static ConsoleProcess start(Path folder, Map<String, String> environment) throws IOException {
		ConsoleProcess process = new ConsoleProcess(folder, environment);
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(() -> !process.process.isAlive() || process.log().contains("Started ConsoleApplication"));
		if (!process.process.isAlive()) {
			throw new IllegalStateException(process.log());
		}
		return process;
	}

	private static Path jar() {
		try {
			return Path.of(ConsoleApplication.class.getProtectionDomain().getCodeSource().getLocation().toURI())
				.resolveSibling("rabbit-retry-console.jar")
				.toAbsolutePath();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	String address(String path) {
		return "http://127.0.0.1:%d%s".formatted(this.port, path);
	}

	String log() throws IOException {
		return Files.readString(this.folder.resolve("log"), StandardCharsets.UTF_8);
	}

	/** The command line asks it. */
	Ended command(String user, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-cp", System.getProperty("java.class.path"),
				"io.github.rabbitretry.cli.RabbitRetry"));
		command.addAll(List.of(arguments));
		command.addAll(List.of("--url", address("/actuator"), "--login", user));
		Path out = this.folder.resolve("out");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
		builder.environment().put("RABBIT_RETRY_PASSWORD", RunningConsole.PASSWORD);
		Process running = builder.start();
		if (!running.waitFor(60, TimeUnit.SECONDS)) {
			running.destroyForcibly();
			throw new IllegalStateException("The command did not end");
		}
		return new Ended(running.exitValue(), Files.readString(out));
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

	/**
	 * A command that has ended.
	 *
	 * @param exitCode its exit code
	 * @param out what it printed
	 */
	record Ended(int exitCode, String out) {
	}

}
