/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The process between the JVM and a server. It reads from a pipe that closes when the JVM
 * ends, however it ends, and then takes the server and its folder away.
 */
public final class Supervisor {

	private static final int CLOSE_SECONDS = 30;

	private final Process process;

	private final OutputStream commands;

	private final BufferedReader answers;

	private Supervisor(Process process) {
		this.process = process;
		this.commands = process.getOutputStream();
		this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Starts the supervisor, and no server yet.
	 * @param folder what belongs to the server, to be removed after it; logs go to the
	 * folder {@code log} in it
	 * @param killSignal what ends the server at once, and its children
	 * @param server the server's command, environment and working directory
	 * @return a supervisor that waits for orders
	 * @throws IOException if it can't be started
	 */
	public static Supervisor start(Path folder, String killSignal, ProcessBuilder server) throws IOException {
		Path script = folder.resolve("supervise.sh");
		try (InputStream resource = Objects.requireNonNull(Supervisor.class.getResourceAsStream("supervise.sh"))) {
			Files.copy(resource, script);
		}
		Path log = Files.createDirectories(folder.resolve("log"));
		List<String> command = new ArrayList<>(List.of("sh", script.toString(), folder.toString(), killSignal));
		command.addAll(server.command());
		return new Supervisor(server.command(command).redirectError(log.resolve("supervisor").toFile()).start());
	}

	/**
	 * Starts Erlang's port mapper on the port that the environment names.
	 * @throws IOException if there is none
	 */
	public void startEpmd() throws IOException {
		ask("epmd");
	}

	/**
	 * Starts the server, after it has ended the one that runs.
	 * @return the server's process
	 * @throws IOException if it ended at once
	 */
	public ProcessHandle startServer() throws IOException {
		String answer = ask("start");
		long pid = Long.parseLong(answer.substring("started ".length()));
		return ProcessHandle.of(pid).orElseThrow(() -> new IOException("The server ended at once"));
	}

	/**
	 * Ends the server with the signal that kills it, and waits until it has ended.
	 * @throws IOException if the supervisor is gone
	 */
	public void killServer() throws IOException {
		ask("kill");
	}

	/**
	 * Asks the server to stop with SIGTERM and waits until it has.
	 * @throws IOException if it does not run or has not ended after 60 seconds
	 */
	public void stopServer() throws IOException {
		ask("stop");
	}

	/**
	 * Stops all of the server's threads where they are, its connections stay open.
	 * @throws IOException if it does not run
	 */
	public void freezeServer() throws IOException {
		ask("freeze");
	}

	/**
	 * Lets a frozen server go on.
	 * @throws IOException if it does not run
	 */
	public void unfreezeServer() throws IOException {
		ask("unfreeze");
	}

	private String ask(String command) throws IOException {
		this.commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
		this.commands.flush();
		String answer = this.answers.readLine();
		if (answer == null || answer.startsWith("failed")) {
			throw new IOException("The command '%s' to the supervisor %s".formatted(command,
					(answer == null) ? "got no answer" : answer));
		}
		return answer;
	}

	/**
	 * Closes the pipe and waits until all is taken away.
	 */
	public void close() {
		boolean interrupted = Thread.interrupted();
		try {
			this.commands.close();
			if (!this.process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The supervisor, process %s, did not end within %s s. End it by hand"
					.formatted(this.process.pid(), CLOSE_SECONDS));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("The pipe to the supervisor does not close", ex);
		}
		catch (InterruptedException ex) {
			// the supervisor goes on by itself
			interrupted = true;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
