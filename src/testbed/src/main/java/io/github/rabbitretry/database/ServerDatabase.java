/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.github.rabbitretry.provision.LoopbackPorts;
import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.Supervisor;
import org.jspecify.annotations.Nullable;

/**
 * A server of our own on a free port of 127.0.0.1, below a supervisor that ends it with
 * this JVM.
 */
final class ServerDatabase extends ReachableDatabase {

	private static final long START_SECONDS = 60;

	private static final Duration STOP = Duration.ofMinutes(1);

	private final Binaries binaries;

	private final Path bin;

	private final Path folder;

	private final Path data;

	private final Supervisor supervisor;

	private String version = "";

	private @Nullable ProcessTree processes;

	private boolean closed;

	private ServerDatabase(Binaries binaries, Path bin, Path folder, int port, String password) throws IOException {
		super(new Connections("jdbc:postgresql://127.0.0.1:%s/".formatted(port), "postgres", "postgres", password));
		this.binaries = binaries;
		this.bin = bin;
		this.folder = folder;
		this.data = folder.resolve("data");
		ProcessBuilder server = new ProcessBuilder(
				Programs.asNobodyIfRoot(List.of(bin.resolve("postgres").toString(), "-D", this.data.toString(), "-p",
						String.valueOf(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")))
			.directory(new File("/"));
		// makes the server stop without a checkpoint, as a crash does, but takes its
		// children along
		this.supervisor = Supervisor.start(folder, "QUIT", server);
	}

	static Database start(Binaries binaries, Settings settings) throws PassedOverException {
		try {
			Path folder = newFolder();
			String password = UUID.randomUUID().toString();
			Path bin = binaries.provide(Files.createDirectory(folder.resolve("server")), settings);
			ServerDatabase database = new ServerDatabase(binaries, bin, folder, LoopbackPorts.free(1)[0], password);
			try {
				database.initialize(password);
				database.startAgain();
				return database;
			}
			catch (IllegalStateException | IOException | PassedOverException ex) {
				database.close();
				throw new PassedOverException(String.valueOf(ex.getMessage()), ex);
			}
		}
		catch (IOException ex) {
			throw new PassedOverException(ex.toString(), ex);
		}
	}

	private static Path newFolder() throws IOException {
		Path folder = Files.createTempDirectory("rabbit-retry-postgres-");
		// no other user has to get in
		return Files.setPosixFilePermissions(folder,
				PosixFilePermissions.fromString(Programs.root() ? "rwx--x--x" : "rwx------"));
	}

	private void initialize(String password) throws PassedOverException, IOException {
		Path passwordFile = Files.writeString(this.folder.resolve("password"), password);
		Programs.own(Files.createDirectory(this.data));
		Programs.own(passwordFile);
		Programs.run(Programs
			.asNobodyIfRoot(List.of(this.bin.resolve("initdb").toString(), "-D", this.data.toString(), "-U", "postgres",
					"--auth=scram-sha-256", "--pwfile=" + passwordFile, "-E", "UTF8", "--locale=C", "--no-sync")));
	}

	@Override
	public Database standby() {
		try {
			return new ServerDatabase(this.binaries, this.bin, newFolder(), LoopbackPorts.free(1)[0], password());
		}
		catch (IOException ex) {
			throw new IllegalStateException("there can't be a standby: " + ex.getMessage(), ex);
		}
	}

	@Override
	public synchronized void follow(Database primary) {
		ServerDatabase followed = (ServerDatabase) primary;
		kill();
		try {
			StandbyData.copy(followed.connections(), followed.data, this.data);
			Programs.own(this.data);
		}
		catch (SQLException | PassedOverException | IOException ex) {
			throw new IllegalStateException("the server can't be followed: " + ex.getMessage(), ex);
		}
		startAgain();
	}

	@Override
	public synchronized void startAgain() {
		if (runs()) {
			return;
		}
		try {
			ProcessHandle started = this.supervisor.startServer();
			this.processes = new ProcessTree(started);
			awaitAnswer(started);
		}
		catch (IOException ex) {
			throw new IllegalStateException("the server can't be started: " + ex.getMessage(), ex);
		}
	}

	private void awaitAnswer(ProcessHandle started) throws IOException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
		while (true) {
			try {
				this.version = connections().version();
				return;
			}
			catch (SQLException ex) {
				if (!started.isAlive() || System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
					throw new IllegalStateException("the server does not answer: %s%n%s".formatted(ex,
							Files.readString(this.folder.resolve("log").resolve("console"))), ex);
				}
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
	}

	private boolean runs() {
		return this.processes != null && this.processes.runs();
	}

	@Override
	public synchronized void kill() {
		ended(ProcessTree::kill);
	}

	@Override
	public synchronized void stop() {
		ended((server) -> server.stop(STOP));
	}

	private void ended(Consumer<ProcessTree> how) {
		ProcessTree running = this.processes;
		if (running != null && running.runs()) {
			how.accept(running);
		}
		try {
			// it has to know
			this.supervisor.killServer();
		}
		catch (IOException ex) {
			throw new IllegalStateException("the server can't be ended: " + ex.getMessage(), ex);
		}
	}

	@Override
	public synchronized void freeze() {
		if (this.processes != null) {
			this.processes.freeze();
		}
	}

	@Override
	public synchronized void unfreeze() {
		if (this.processes != null) {
			this.processes.unfreeze();
		}
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.supervisor.close();
		}
	}

	@Override
	public String description() {
		return "PostgreSQL %s, %s, at %s".formatted(this.version, this.binaries.name(), url());
	}

	@Override
	public boolean canControl() {
		return true;
	}

}
