/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.broker.Broker;
import org.jspecify.annotations.Nullable;

/**
 * The worker as a process of its own, started again whenever it dies, as an operating
 * platform would.
 */
final class WorkerProcess implements AutoCloseable {

	private static final int MOST_CRASHES = 50;

	/**
	 * Ends the worker when standard input closes, which it does however this JVM ends.
	 * Ctrl-C reaches all processes of a terminal at once, but the worker is to be ended
	 * from here, before its broker.
	 */
	private static final String SUPERVISE = """
			trap '' INT
			exec 3<&0
			"$@" </dev/null 3<&- &
			worker=$!
			(read -r end <&3; kill $worker) 2>/dev/null &
			watcher=$!
			exec 3<&-
			wait $worker
			status=$?
			kill $watcher 2>/dev/null
			exit $status
			""";

	private final Path log;

	private final URI address;

	private final ProcessBuilder builder;

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

	private @Nullable Process process;

	private volatile int crashes;

	private volatile boolean stopping;

	WorkerProcess(Path jar, Path log, Broker broker) throws IOException {
		this.log = log;
		Files.deleteIfExists(log);
		int port = freePort();
		this.address = URI.create("http://127.0.0.1:" + port);
		List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SUPERVISE, "worker"));
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// the flags of mvn spring-boot:run: it is started often here, and never runs long
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString(),
				"--server.port=" + port));
		Arrays.stream(Command.values()).flatMap(Command::scaledDelays).forEach(command::add);
		this.builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
		// not on the command line, where everybody on the machine can read it
		this.builder.environment().put("SPRING_RABBITMQ_ADDRESSES", broker.amqpUri().toString());
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/** Where the worker's HTTP endpoints are, also after a restart. */
	URI address() {
		return this.address;
	}

	Path log() {
		return this.log;
	}

	int crashes() {
		return this.crashes;
	}

	boolean givenUp() {
		return this.crashes >= MOST_CRASHES;
	}

	/** Starts the worker and keeps it running until {@link #close()}. */
	synchronized void start() {
		if (this.stopping || givenUp()) {
			return;
		}
		try {
			Process started = this.builder.start();
			this.process = started;
			started.onExit().thenRun(() -> {
				if (!this.stopping) {
					this.crashes++;
					start();
				}
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The worker can't be started", ex);
		}
	}

	boolean healthy() {
		try {
			HttpRequest request = HttpRequest.newBuilder(this.address.resolve("/actuator/health"))
				.timeout(Duration.ofSeconds(2))
				.build();
			return this.http.send(request, BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** Stops the worker in its own way; by force if that takes too long. */
	@Override
	public void close() {
		Process running;
		synchronized (this) {
			this.stopping = true;
			running = this.process;
		}
		if (running == null) {
			return;
		}
		List<ProcessHandle> all = running.descendants().toList();
		try {
			running.getOutputStream().close();
			if (running.waitFor(20, TimeUnit.SECONDS)) {
				return;
			}
		}
		catch (IOException ex) {
			// by force, then
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		all.forEach(ProcessHandle::destroyForcibly);
	}

}
