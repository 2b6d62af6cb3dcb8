/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A server of our own on a free port of 127.0.0.1, below a small supervisor whose
 * standard input is a pipe from this JVM: however the JVM ends, also by SIGKILL, the pipe
 * closes, and the supervisor ends the server and removes its folder.
 */
final class ServerDatabase extends ReachableDatabase {

	private static final long START_SECONDS = 60;

	private final Binaries binaries;

	private final Path folder;

	private final Process supervisor;

	private final BufferedReader answers;

	private String version = "";

	private boolean running;

	private ServerDatabase(Binaries binaries, Connections connections, Path folder, Process supervisor) {
		super(connections);
		this.binaries = binaries;
		this.folder = folder;
		this.supervisor = supervisor;
		this.answers = new BufferedReader(new InputStreamReader(supervisor.getInputStream()));
	}

	static Database start(Binaries binaries) throws PassedOverDatabaseException {
		try {
			Path folder = Files.createTempDirectory("rabbit-retry-postgres-");
			// nobody has to get in
			Files.setPosixFilePermissions(folder,
					PosixFilePermissions.fromString(Programs.root() ? "rwx--x--x" : "rwx------"));
			Path script = folder.resolve("supervise.sh");
			try (InputStream resource = Objects
				.requireNonNull(ServerDatabase.class.getResourceAsStream("supervise.sh"))) {
				Files.copy(resource, script);
			}
			int port = freePort();
			String password = UUID.randomUUID().toString();
			Path passwordFile = Files.writeString(folder.resolve("password"), password);
			Path bin = binaries.provide(Files.createDirectory(folder.resolve("server")));
			Path data = Files.createDirectory(folder.resolve("data"));
			if (Programs.root()) {
				Programs.run(List.of("chown", "65534:65534", data.toString(), passwordFile.toString()));
			}
			Programs.run(Programs
				.asNobodyIfRoot(List.of(bin.resolve("initdb").toString(), "-D", data.toString(), "-U", "postgres",
						"--auth=scram-sha-256", "--pwfile=" + passwordFile, "-E", "UTF8", "--locale=C", "--no-sync")));
			List<String> command = new ArrayList<>(List.of("sh", script.toString(), folder.toString()));
			command.addAll(Programs.asNobodyIfRoot(List.of(bin.resolve("postgres").toString(), "-D", data.toString(),
					"-p", String.valueOf(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")));
			Process supervisor = new ProcessBuilder(command).redirectError(folder.resolve("log").toFile()).start();
			ServerDatabase database = new ServerDatabase(binaries,
					new Connections("jdbc:postgresql://127.0.0.1:%d/".formatted(port), "postgres", "postgres",
							password),
					folder, supervisor);
			try {
				database.startAgain();
			}
			catch (IllegalStateException ex) {
				database.close();
				throw new PassedOverDatabaseException(String.valueOf(ex.getMessage()), ex);
			}
			return database;
		}
		catch (IOException ex) {
			throw new PassedOverDatabaseException(ex.toString(), ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public synchronized void startAgain() {
		if (this.running) {
			return;
		}
		ask("start");
		SQLException last = null;
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
		while (System.nanoTime() - deadline < 0) {
			try {
				this.version = connections().version();
				this.running = true;
				return;
			}
			catch (SQLException ex) {
				last = ex;
			}
			try {
				if (this.supervisor.waitFor(50, TimeUnit.MILLISECONDS)) {
					break;
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				break;
			}
		}
		throw new IllegalStateException("the server does not answer: %s%n%s".formatted(last, log()), last);
	}

	private String log() {
		try {
			return Files.readString(this.folder.resolve("log"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	@Override
	public synchronized void kill() {
		if (this.running) {
			ask("kill");
			this.running = false;
		}
	}

	private void ask(String command) {
		try {
			this.supervisor.getOutputStream().write((command + "\n").getBytes());
			this.supervisor.getOutputStream().flush();
			String answer = this.answers.readLine();
			if (!"done".equals(answer)) {
				throw new IllegalStateException("the supervisor answered %s to %s".formatted(answer, command));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public synchronized void close() {
		try {
			this.running = false;
			this.supervisor.getOutputStream().close();
			// removing a large folder may take longer, and needs nobody to wait
			this.supervisor.waitFor(10, TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
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
