/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.provision.Command;
import io.github.rabbitretry.provision.PassedOverException;

/**
 * Programs run for the server. PostgreSQL refuses to run as root, so root runs it as
 * nobody.
 */
final class Programs {

	private static final String NOBODY = "65534";

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private Programs() {
	}

	static boolean root() {
		return System.getProperty("user.name").equals("root");
	}

	static List<String> asNobodyIfRoot(List<String> command) {
		List<String> whole = new ArrayList<>();
		if (root()) {
			whole.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
		}
		whole.addAll(command);
		return whole;
	}

	/** Gives a file, or a folder and all in it, to the user who runs the server. */
	static void own(Path path) throws PassedOverException, IOException {
		if (root()) {
			run(List.of("chown", "-R", NOBODY + ":" + NOBODY, path.toString()));
		}
	}

	static void run(List<String> command) throws PassedOverException, IOException {
		run(command, InputStream.nullInputStream());
	}

	static void run(List<String> command, InputStream input) throws PassedOverException, IOException {
		Command.Result result = Command.run(new ProcessBuilder(command), input, TIMEOUT);
		if (result.failed()) {
			throw new PassedOverException(
					"%s ended with %s: %s".formatted(command.get(0), result.status(), result.output()));
		}
	}

}
