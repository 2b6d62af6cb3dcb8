/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A private node on the loopback interface, with its own epmd, cookie and data.
 */
final class Node implements AutoCloseable {

	private static final Duration BOOT = Duration.ofSeconds(120);

	private static final Duration ANSWER = Duration.ofSeconds(10);

	private static final Duration CTL = Duration.ofSeconds(60);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

	final Ports ports = Ports.choose();

	final NodeFolder folder;

	private final NodeEnvironment environment;

	private final NodeLog log;

	private final Supervisor supervisor;

	private @Nullable ProcessHandle process;

	private boolean closed;

	Node(Installation installation) throws IOException {
		this.folder = NodeFolder.create(this.ports);
		String name = "rr-" + UUID.randomUUID().toString().substring(0, 8) + "@localhost";
		this.log = new NodeLog(this.folder.path().resolve("log").resolve(name + ".log"));
		this.environment = new NodeEnvironment(installation, this.folder.path(), name, this.ports);
		this.supervisor = Supervisor.start(this.folder, this.environment);
	}

	/**
	 * Starts the node and waits until it answers.
	 * @return the version that it reports
	 */
	synchronized String start() throws NodeStartException {
		try {
			if (this.process == null) {
				this.supervisor.startEpmd();
				Epmd.awaitAnswer(this.ports.epmd());
			}
			long logged = this.log.length();
			ProcessHandle started = this.supervisor.startNode();
			this.process = started;
			awaitComplete(started, logged);
			return AmqpGreeting.version(AmqpAddress.local(this.ports.amqp()), ANSWER);
		}
		catch (IOException ex) {
			throw new NodeStartException(ex.getMessage() + "\n" + this.folder.lastWords());
		}
	}

	private void awaitComplete(ProcessHandle started, long logged) throws IOException, NodeStartException {
		long deadline = System.nanoTime() + BOOT.toNanos();
		while (!this.log.tellsOfCompleteStartSince(logged)) {
			if (!started.isAlive()) {
				throw new NodeStartException("The node ended while it started\n" + this.folder.lastWords());
			}
			if (Thread.currentThread().isInterrupted()) {
				throw new NodeStartException("Interrupted while the node started");
			}
			if (System.nanoTime() > deadline) {
				throw new NodeStartException(
						"The node has not started after %d s\n%s".formatted(BOOT.toSeconds(), this.folder.lastWords()));
			}
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
		}
	}

	synchronized boolean runs() {
		return this.process != null && this.process.isAlive();
	}

	synchronized void kill() {
		try {
			this.supervisor.killNode();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The node can't be killed: " + ex.getMessage(), ex);
		}
	}

	String ctl(String... arguments) {
		String[] command = new String[arguments.length + 1];
		command[0] = this.environment.installation().tool("rabbitmqctl").toString();
		System.arraycopy(arguments, 0, command, 1, arguments.length);
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.folder.path().toFile());
		this.environment.applyTo(builder.environment());
		try {
			return CtlOutput.of(Command.run(builder, CTL), arguments);
		}
		catch (IOException ex) {
			throw new IllegalStateException("rabbitmqctl can't be run: " + ex.getMessage(), ex);
		}
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.supervisor.close();
		}
	}

}
