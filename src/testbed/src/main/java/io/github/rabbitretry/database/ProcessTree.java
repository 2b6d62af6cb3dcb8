/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.Command;

/**
 * A server's processes.
 *
 * @param first the one that starts the others
 */
record ProcessTree(ProcessHandle first) {

	boolean runs() {
		return this.first.isAlive();
	}

	void freeze() {
		signal("STOP", all());
		// those that were started before the first one stopped
		signal("STOP", all());
	}

	void unfreeze() {
		signal("CONT", all());
	}

	void kill() {
		// or the first one starts others meanwhile
		freeze();
		List<ProcessHandle> killed = all();
		signal("KILL", killed);
		// nobody may be there who reaps them
		CompletableFuture.allOf(killed.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
			.completeOnTimeout(null, 1, TimeUnit.SECONDS)
			.join();
	}

	/** Asks the first one to end all, and waits for that. */
	void stop(Duration timeout) {
		signal("INT", List.of(this.first));
		this.first.onExit().orTimeout(timeout.toSeconds(), TimeUnit.SECONDS).join();
	}

	private List<ProcessHandle> all() {
		return runs() ? Stream.concat(Stream.of(this.first), this.first.descendants()).toList() : List.of();
	}

	private static void signal(String name, List<ProcessHandle> processes) {
		if (processes.isEmpty()) {
			return;
		}
		List<String> command = new ArrayList<>(List.of("kill", "-" + name));
		processes.forEach((process) -> command.add(String.valueOf(process.pid())));
		try {
			// fails where one has ended meanwhile
			Command.run(new ProcessBuilder(command), Duration.ofSeconds(10));
		}
		catch (IOException ex) {
			throw new IllegalStateException("the server gets no signal: " + ex.getMessage(), ex);
		}
	}

}
