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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

	private final Binaries binaries;

	private final Path folder;

	private final Supervisor supervisor;

	private String version = "";

	private @Nullable ProcessHandle process;

	private boolean closed;

	private ServerDatabase(Binaries binaries, Connections connections, Path folder, Supervisor supervisor) {
		super(connections);
		this.binaries = binaries;
		this.folder = folder;
		this.supervisor = supervisor;
	}

	static Database start(Binaries binaries, Settings settings) throws PassedOverException {
		try {
			Path folder = Files.createTempDirectory("rabbit-retry-postgres-");
			// no other user has to get in
			Files.setPosixFilePermissions(folder,
					PosixFilePermissions.fromString(Programs.root() ? "rwx--x--x" : "rwx------"));
			int port = LoopbackPorts.free(1)[0];
			String password = UUID.randomUUID().toString();
			Path passwordFile = Files.writeString(folder.resolve("password"), password);
			Path bin = binaries.provide(Files.createDirectory(folder.resolve("server")), settings);
			Path data = Files.createDirectory(folder.resolve("data"));
			if (Programs.root()) {
				Programs.run(List.of("chown", "65534:65534", data.toString(), passwordFile.toString()));
			}
			Programs.run(Programs
				.asNobodyIfRoot(List.of(bin.resolve("initdb").toString(), "-D", data.toString(), "-U", "postgres",
						"--auth=scram-sha-256", "--pwfile=" + passwordFile, "-E", "UTF8", "--locale=C", "--no-sync")));
			ProcessBuilder server = new ProcessBuilder(Programs
				.asNobodyIfRoot(List.of(bin.resolve("postgres").toString(), "-D", data.toString(), "-p",
						String.valueOf(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")))
				.directory(new File("/"));
			// makes the server stop without a checkpoint, as a crash does, but takes its
			// children along
			Supervisor supervisor = Supervisor.start(folder, "QUIT", server);
			ServerDatabase database = new ServerDatabase(binaries,
					new Connections("jdbc:postgresql://127.0.0.1:%d/".formatted(port), "postgres", "postgres",
							password),
					folder, supervisor);
			try {
				database.startAgain();
			}
			catch (IllegalStateException ex) {
				database.close();
				throw new PassedOverException(String.valueOf(ex.getMessage()), ex);
			}
			return database;
		}
		catch (IOException ex) {
			throw new PassedOverException(ex.toString(), ex);
		}
	}

	@Override
	public synchronized void startAgain() {
		if (runs()) {
			return;
		}
		try {
			ProcessHandle started = this.supervisor.startServer();
			this.process = started;
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
		return this.process != null && this.process.isAlive();
	}

	@Override
	public synchronized void kill() {
		try {
			this.supervisor.killServer();
		}
		catch (IOException ex) {
			throw new IllegalStateException("the server can't be killed: " + ex.getMessage(), ex);
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
