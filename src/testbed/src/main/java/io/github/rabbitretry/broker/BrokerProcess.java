/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.provision.Command;
import io.github.rabbitretry.provision.Supervisor;
import org.jspecify.annotations.Nullable;

/**
 * A private node on the loopback interface, with its own epmd, cookie and data.
 */
final class BrokerProcess implements AutoCloseable {

	private static final Duration BOOT = Duration.ofSeconds(120);

	private static final Duration ANSWER = Duration.ofSeconds(10);

	private static final Duration CTL = Duration.ofSeconds(60);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

	final Ports ports;

	final NodeFolder folder;

	private final NodeIdentity identity;

	private final NodeEnvironment environment;

	private final NodeLog log;

	private final Supervisor supervisor;

	private @Nullable ProcessHandle process;

	private boolean frozen;

	private boolean closed;

	BrokerProcess(Installation installation, NodeIdentity identity) throws IOException {
		this.identity = identity;
		this.ports = identity.ports();
		this.folder = NodeFolder.create(identity);
		String name = identity.name();
		this.log = new NodeLog(this.folder.path().resolve("log").resolve(name + ".log"));
		this.environment = new NodeEnvironment(installation, this.folder.path(), name, this.ports);
		this.supervisor = supervisor();
	}

	private Supervisor supervisor() throws IOException {
		Path path = this.folder.path();
		ProcessBuilder server = new ProcessBuilder(this.environment.installation().server().toString())
			.directory(path.toFile());
		this.environment.applyTo(server.environment());
		return Supervisor.start(path, "KILL", server);
	}

	/**
	 * Starts the node and waits until it answers.
	 * @return the version that it reports
	 */
	synchronized String start() throws NodeStartException {
		try {
			if (this.process == null) {
				if (this.identity.startsEpmd()) {
					this.supervisor.startEpmd();
				}
				Epmd.awaitAnswer(this.ports.epmd());
			}
			long logged = this.log.length();
			ProcessHandle started = this.supervisor.startServer();
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
						"The node has not started after %s s\n%s".formatted(BOOT.toSeconds(), this.folder.lastWords()));
			}
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
		}
	}

	synchronized boolean runs() {
		return this.process != null && this.process.isAlive();
	}

	/** Whether it runs and is not frozen. */
	synchronized boolean answers() {
		return runs() && !this.frozen;
	}

	String name() {
		return this.identity.name();
	}

	synchronized void kill() {
		order("killed", this.supervisor::killServer);
		this.frozen = false;
	}

	synchronized void stop() {
		if (runs()) {
			order("stopped", this.supervisor::stopServer);
		}
	}

	synchronized void freeze() {
		requireRunning("frozen");
		order("frozen", this.supervisor::freezeServer);
		this.frozen = true;
	}

	synchronized void unfreeze() {
		requireRunning("unfrozen");
		order("unfrozen", this.supervisor::unfreezeServer);
		this.frozen = false;
	}

	private void requireRunning(String what) {
		if (!runs()) {
			throw new IllegalStateException("The node can't be %s: the node does not run".formatted(what));
		}
	}

	private static void order(String what, Order order) {
		try {
			order.give();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The node can't be %s: %s".formatted(what, ex.getMessage()), ex);
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

	/** Something that the supervisor does. */
	private interface Order {

		void give() throws IOException;

	}

}
