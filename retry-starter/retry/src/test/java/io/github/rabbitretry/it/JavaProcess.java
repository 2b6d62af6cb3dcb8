/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.provision.Command;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A class of the tests in a JVM of its own, to be killed. It runs until its standard
 * input ends, which it does with the test's JVM too.
 */
public final class JavaProcess {

	private static final int LINES = 30;

	private final Process process;

	private final Path log;

	private JavaProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts.
	 * @param main the class
	 * @param megabytes the largest heap
	 * @param folder where {@code worker.log} is, which all processes of a test write into
	 * @param arguments the arguments
	 * @return the process
	 */
	public static JavaProcess start(Class<?> main, int megabytes, Path folder, List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xshare:auto", "-Djdk.attach.allowAttachSelf=true",
						"-Xmx%dm".formatted(megabytes), main.getName()));
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command);
		// not as an argument, which may be too long
		builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
		Path log = folder.resolve("worker.log");
		builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
		try {
			return new JavaProcess(builder.start(), log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits, two minutes at most, until it has done something.
	 * @param done whether it has
	 */
	public void await(BooleanSupplier done) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> done.getAsBoolean() || !alive());
		assertThat(alive()).as(this::logged).isTrue();
	}

	/**
	 * Whether it runs.
	 * @return {@code false} once it has ended
	 */
	public boolean alive() {
		return this.process.isAlive();
	}

	/**
	 * Waits, two minutes at most, until it ends by itself.
	 * @return its exit code
	 */
	public int awaitExit() {
		assertThat(ended(120)).as(this::logged).isTrue();
		return this.process.exitValue();
	}

	/**
	 * The process.
	 * @return its id
	 */
	public long id() {
		return this.process.pid();
	}

	private String logged() {
		try {
			List<String> lines = Files.readAllLines(this.log);
			return "the worker runs; it wrote:%n%s"
				.formatted(String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Writes a line to its standard input.
	 * @param line the line
	 */
	public void writeLine(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Sends a signal.
	 * @param name such as {@code STOP}
	 */
	public void signal(String name) {
		try {
			Command.run(new ProcessBuilder("kill", "-" + name, String.valueOf(id())), Duration.ofSeconds(10));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Ends it with SIGKILL. */
	public void kill() {
		this.process.destroyForcibly();
		assertThat(ended(10)).isTrue();
	}

	/** Ends it as a deployment would. */
	public void stop() {
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		assertThat(ended(60)).as("the worker ended by itself").isTrue();
		assertThat(this.process.exitValue()).isZero();
	}

	private boolean ended(long seconds) {
		try {
			return this.process.waitFor(seconds, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
