/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.cli.output.AnswerOutput;
import io.github.rabbitretry.cli.output.Console;
import io.github.rabbitretry.cli.service.ExitCode;

/**
 * Parked messages, from a shell.
 */
public final class RabbitRetry {

	private RabbitRetry() {
	}

	/**
	 * Runs one command and ends the process with its exit code.
	 * @param arguments the command and its options
	 */
	public static void main(String[] arguments) {
		AnswerOutput answers = new AnswerOutput(new FileOutputStream(FileDescriptor.out));
		Console console = new Console(utf8(answers), utf8(new FileOutputStream(FileDescriptor.err)),
				new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), Console.Terminals.here());
		Session session = new Session(console, System.getenv(), new ServiceConnector(console::note),
				new Session.Pause() {

					@Override
					public void millis(long millis) {
						LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
					}

					@Override
					public long now() {
						return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
					}

				});
		int status = Commands.run(session, arguments);
		String failure = answers.failure();
		if (failure != null) {
			console.note("rabbit-retry: the answer could not be written: " + failure);
			status = (status == 0) ? ExitCode.NOT_WRITTEN.number() : status;
		}
		System.exit(status);
	}

	/** Whatever the locale is. */
	private static PrintStream utf8(OutputStream out) {
		return new PrintStream(out, false, StandardCharsets.UTF_8);
	}

}
