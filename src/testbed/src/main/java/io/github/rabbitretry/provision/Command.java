/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end and keeps what it printed.
 */
final class Command {

	private Command() {
	}

	static Result run(ProcessBuilder builder, Duration timeout) throws IOException {
		Path output = Files.createTempFile("rabbit-retry-", ".out");
		try {
			Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
			process.getOutputStream().close();
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

	record Result(int status, String output) {

		boolean failed() {
			return this.status != 0;
		}

	}

}
