/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.cli.output.Console;

/**
 * Runs commands as somebody in a shell does.
 */
final class Shell {

	private final Session.Ways ways;

	private final Map<String, String> environment = new HashMap<>();

	private Console.Terminals terminals = new Console.Terminals(false, false, false);

	private String typed = "";

	private boolean timePasses;

	Shell(Session.Ways ways) {
		this.ways = ways;
	}

	Shell with(String variable, String value) {
		this.environment.put(variable, value);
		return this;
	}

	/** A person is there and will type something. */
	Shell terminal(String willType) {
		this.terminals = new Console.Terminals(true, false, true);
		this.typed = willType;
		return this;
	}

	/** Waiting takes as long as it says. */
	Shell realTime() {
		this.timePasses = true;
		return this;
	}

	Result run(String... arguments) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
				new PrintStream(err, true, StandardCharsets.UTF_8), new BufferedReader(new StringReader(this.typed)),
				this.terminals);
		int exitCode = Commands.run(new Session(console, this.environment, this.ways, pause()), arguments);
		return new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
	}

	private Session.Pause pause() {
		return new Session.Pause() {

			private long now;

			@Override
			public void millis(long millis) {
				if (Shell.this.timePasses) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
				}
				this.now += millis;
			}

			@Override
			public long now() {
				return this.now;
			}

		};
	}

	record Result(int exitCode, String out, String err) {
	}

}
