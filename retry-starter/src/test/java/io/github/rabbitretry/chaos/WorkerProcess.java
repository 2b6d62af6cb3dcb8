/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The worker in a JVM of its own, to be killed.
 */
final class WorkerProcess {

	private final ChaosRun run;

	private final Process process;

	private final Path log;

	private final long evidenceBefore;

	WorkerProcess(ChaosRun run, String... more) {
		this.run = run;
		this.evidenceBefore = run.evidence().size();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m", ChaosApplication.class.getName()));
		command.addAll(List.of(run.arguments(more)));
		ProcessBuilder builder = new ProcessBuilder(command);
		// not as an argument, which may be too long
		builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
		this.log = run.folder().resolve("worker.log");
		builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(this.log.toFile()));
		try {
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until it has handled something. */
	void awaitWork() {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> this.run.evidence().size() > this.evidenceBefore || !this.process.isAlive());
		assertThat(this.process.isAlive()).as(this::logged).isTrue();
	}

	boolean alive() {
		return this.process.isAlive();
	}

	private String logged() {
		try {
			List<String> lines = Files.readAllLines(this.log);
			return "the worker runs; it wrote:%n%s"
				.formatted(String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Ends it with SIGKILL. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		assertThat(this.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
	}

	/** Ends it as a deployment would. */
	void stop() throws IOException, InterruptedException {
		this.process.getOutputStream().close();
		assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).as("the worker ended by itself").isTrue();
		assertThat(this.process.exitValue()).isZero();
	}

}
