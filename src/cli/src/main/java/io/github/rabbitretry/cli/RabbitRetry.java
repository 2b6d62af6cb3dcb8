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
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
		Screen screen = new Screen(utf8(FileDescriptor.out), utf8(FileDescriptor.err),
				new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), Screen.Terminals.here());
		Session session = new Session(screen, System.getenv(), new BothWays(screen::note), new Session.Pause() {

			@Override
			public void millis(long millis) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
			}

			@Override
			public long now() {
				return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
			}

		});
		System.exit(Commands.run(session, arguments));
	}

	/** Whatever the locale is. */
	private static PrintStream utf8(FileDescriptor descriptor) {
		return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
	}

}
