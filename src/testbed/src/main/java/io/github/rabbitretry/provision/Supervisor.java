/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The process between the JVM and the node. It reads from a pipe that closes when the JVM
 * ends, however it ends, and then takes the node, its epmd and the folder away.
 */
final class Supervisor {

	private static final int CLOSE_SECONDS = 30;

	private final Process process;

	private final OutputStream commands;

	private final BufferedReader answers;

	private Supervisor(Process process) {
		this.process = process;
		this.commands = process.getOutputStream();
		this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	static Supervisor start(NodeFolder folder, NodeEnvironment environment) throws IOException {
		Path path = folder.path();
		ProcessBuilder builder = new ProcessBuilder("sh", folder.supervisor().toString(), path.toString(),
				environment.installation().server().toString(), String.valueOf(environment.ports().epmd()))
			.directory(path.toFile())
			.redirectError(path.resolve("log").resolve("supervisor").toFile());
		environment.applyTo(builder.environment());
		return new Supervisor(builder.start());
	}

	void startEpmd() throws IOException {
		ask("epmd");
	}

	ProcessHandle startNode() throws IOException {
		String answer = ask("start");
		long pid = Long.parseLong(answer.substring("started ".length()));
		return ProcessHandle.of(pid).orElseThrow(() -> new IOException("The node ended at once"));
	}

	void killNode() throws IOException {
		ask("kill");
	}

	/** Asks the node to stop with SIGTERM and waits until it has. */
	void stopNode() throws IOException {
		ask("stop");
	}

	/** Stops all of the node's threads where they are, its connections stay open. */
	void freezeNode() throws IOException {
		ask("freeze");
	}

	void unfreezeNode() throws IOException {
		ask("unfreeze");
	}

	private String ask(String command) throws IOException {
		this.commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
		this.commands.flush();
		String answer = this.answers.readLine();
		if (answer == null || answer.startsWith("failed")) {
			throw new IOException("The command '%s' to the node's supervisor %s".formatted(command,
					(answer == null) ? "got no answer" : answer));
		}
		return answer;
	}

	/**
	 * Closes the pipe and waits until all is taken away.
	 */
	void close() {
		boolean interrupted = Thread.interrupted();
		try {
			this.commands.close();
			if (!this.process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException(
						"The node's supervisor, process %d, did not end within %d s. End it by hand"
							.formatted(this.process.pid(), CLOSE_SECONDS));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("The pipe to the node's supervisor does not close", ex);
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
