/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Programs run for the server. PostgreSQL refuses to run as root, so root runs it as
 * nobody.
 */
final class Programs {

	private static final String NOBODY = "65534";

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

	static void run(List<String> command) throws PassedOverDatabaseException, IOException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes());
		try {
			awaitSuccess(process, command.get(0));
		}
		catch (PassedOverDatabaseException ex) {
			throw new PassedOverDatabaseException(ex.getMessage() + ": " + output, ex);
		}
	}

	static void awaitSuccess(Process process, String name) throws PassedOverDatabaseException {
		try {
			if (!process.waitFor(2, TimeUnit.MINUTES)) {
				process.destroyForcibly();
				throw new PassedOverDatabaseException(name + " did not end within two minutes");
			}
			if (process.exitValue() != 0) {
				throw new PassedOverDatabaseException(name + " ended with " + process.exitValue());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new PassedOverDatabaseException("interrupted", ex);
		}
	}

}
