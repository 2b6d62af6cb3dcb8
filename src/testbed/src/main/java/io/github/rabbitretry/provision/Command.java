/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end and keeps what it printed.
 */
public final class Command {

	private Command() {
	}

	/**
	 * Runs a program that reads nothing.
	 * @param builder the program
	 * @param timeout after which it is ended by force
	 * @return its end
	 * @throws IOException if it can't be started
	 */
	public static Result run(ProcessBuilder builder, Duration timeout) throws IOException {
		return run(builder, InputStream.nullInputStream(), timeout);
	}

	/**
	 * Runs a program.
	 * @param builder the program
	 * @param input what it reads from standard input
	 * @param timeout after which it is ended by force, counted from the end of the input
	 * @return its end
	 * @throws IOException if it can't be started or does not read its input
	 */
	public static Result run(ProcessBuilder builder, InputStream input, Duration timeout) throws IOException {
		Path output = Files.createTempFile("rabbit-retry-", ".out");
		try {
			Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
			try (OutputStream standardInput = process.getOutputStream()) {
				input.transferTo(standardInput);
			}
			boolean ended = waitFor(process, timeout);
			String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
			return ended ? new Result(process.exitValue(), text)
					: new Result(-1, text + "\n(ended by force after " + timeout.toSeconds() + " s)");
		}
		finally {
			Files.deleteIfExists(output);
		}
	}

	private static boolean waitFor(Process process, Duration timeout) {
		try {
			if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				return true;
			}
			end(process);
			return false;
		}
		catch (InterruptedException ex) {
			end(process);
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a program ran: " + process.info(), ex);
		}
	}

	private static void end(Process process) {
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
	}

	/**
	 * How a program ended.
	 *
	 * @param status its exit status, -1 if it was ended by force
	 * @param output what it printed
	 */
	public record Result(int status, String output) {

		/**
		 * Whether it failed.
		 * @return {@code false} for the status 0
		 */
		public boolean failed() {
			return this.status != 0;
		}

	}

}
