/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

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
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The worker as a process of its own, started again whenever it dies, as an operating
 * platform would.
 */
public final class WorkerProcess implements AutoCloseable {

	private static final int MOST_CRASHES = 50;

	private static final Duration START = Duration.ofMinutes(3);

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

	private final List<String> command;

	private final URI broker;

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

	private List<String> release = List.of();

	private @Nullable Process process;

	private boolean closed;

	private volatile int crashes;

	/**
	 * Creates the process, which is not started.
	 * @param jar the worker
	 * @param log where it writes to
	 * @param broker where its broker is
	 * @param arguments what differs from its configuration
	 * @throws IOException if there is no free port
	 */
	public WorkerProcess(Path jar, Path log, URI broker, List<String> arguments) throws IOException {
		this(jar, log, broker, List.of(), arguments);
	}

	/**
	 * Creates the process, which is not started, with options of its JVM.
	 * @param jar the worker
	 * @param log where it writes to
	 * @param broker where its broker is
	 * @param options of its JVM
	 * @param arguments what differs from its configuration
	 * @throws IOException if there is no free port
	 */
	public WorkerProcess(Path jar, Path log, URI broker, List<String> options, List<String> arguments)
			throws IOException {
		this.log = log;
		this.broker = broker;
		Files.deleteIfExists(log);
		int port = freePort();
		this.address = URI.create("http://127.0.0.1:" + port);
		this.command = new ArrayList<>(List.of("/bin/sh", "-c", SUPERVISE, "worker"));
		this.command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// the flags of mvn spring-boot:run: it is started often here, and never runs long
		this.command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		this.command.addAll(options);
		this.command.addAll(List.of("-jar", jar.toString(), "--server.port=" + port));
		this.command.addAll(arguments);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Where the worker's HTTP endpoints are, also after a restart.
	 * @return the address
	 */
	public URI address() {
		return this.address;
	}

	/**
	 * Where it writes to.
	 * @return a file
	 */
	public Path log() {
		return this.log;
	}

	/**
	 * How often it ended by itself.
	 * @return the number
	 */
	public int crashes() {
		return this.crashes;
	}

	/**
	 * Whether it ended so often that it is not started any more.
	 * @return {@code true} if so
	 */
	public boolean givenUp() {
		return this.crashes >= MOST_CRASHES;
	}

	/**
	 * Starts the worker, keeps it running until {@link #stop()}, and waits until it is
	 * healthy.
	 * @throws IOException if it does not get healthy
	 */
	public void start() throws IOException {
		int before = this.crashes;
		launch();
		awaitHealthy(before);
	}

	/**
	 * Starts another release of the worker, once it is stopped.
	 * @param arguments what makes the difference
	 * @throws IOException if it does not get healthy
	 */
	public void start(List<String> arguments) throws IOException {
		this.release = arguments;
		start();
	}

	private synchronized void launch() {
		if (this.closed || givenUp()) {
			return;
		}
		List<String> all = new ArrayList<>(this.command);
		all.addAll(this.release);
		ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.log.toFile()));
		// not on the command line, where everybody on the machine can read it
		builder.environment().put("SPRING_RABBITMQ_ADDRESSES", this.broker.toString());
		try {
			Process started = builder.start();
			this.process = started;
			started.onExit().thenRun(() -> ended(started));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The worker can't be started", ex);
		}
	}

	private synchronized void ended(Process which) {
		if (this.process == which) {
			this.crashes++;
			launch();
		}
	}

	/**
	 * Waits until it is healthy, as after a crash, from which it comes back in its time.
	 * @throws IOException if it does not get healthy
	 */
	public void awaitHealthy() throws IOException {
		awaitHealthy(MOST_CRASHES - 1);
	}

	private void awaitHealthy(int crashesBefore) throws IOException {
		try {
			Awaitility.await()
				.atMost(START)
				.pollInterval(Duration.ofMillis(200))
				.until(() -> healthy() || this.crashes > crashesBefore);
		}
		catch (ConditionTimeoutException ex) {
			throw new IOException("The worker did not get healthy within %s; see %s".formatted(START, this.log), ex);
		}
		if (this.crashes > crashesBefore) {
			throw new IOException("The worker ended while it started; see " + this.log);
		}
	}

	/**
	 * Whether it answers, and says that it is well.
	 * @return {@code true} if so
	 */
	public boolean healthy() {
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

	/** Ends it with SIGKILL. It is started again, as after any crash. */
	public void kill() {
		Process running;
		synchronized (this) {
			running = this.process;
		}
		if (running != null) {
			running.descendants()
				.filter((child) -> child.info().command().orElse("").endsWith("/java"))
				.forEach(ProcessHandle::destroyForcibly);
		}
	}

	/** Stops the worker in its own way; by force if that takes too long. */
	public void stop() {
		Process running;
		synchronized (this) {
			running = this.process;
			this.process = null;
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

	/** Stops the worker for good. */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		stop();
	}

}
