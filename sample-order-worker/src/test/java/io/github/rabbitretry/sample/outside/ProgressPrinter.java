/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * Where the demo and the drill print. On a terminal progress is one line that changes;
 * elsewhere it is a line every few seconds.
 */
public final class ProgressPrinter {

	private static final long BETWEEN_LINES = TimeUnit.SECONDS.toNanos(5);

	private final PrintStream out;

	private final boolean terminal;

	private boolean progressShown;

	private boolean silent;

	private long nextLine = System.nanoTime();

	/**
	 * Creates the screen.
	 * @param out what to print to
	 * @param terminal whether that is a terminal
	 */
	public ProgressPrinter(PrintStream out, boolean terminal) {
		this.out = out;
		this.terminal = terminal;
	}

	/**
	 * Prints a line.
	 * @param text the line
	 */
	public synchronized void line(String text) {
		if (this.silent) {
			return;
		}
		if (this.progressShown) {
			this.out.println();
			this.progressShown = false;
		}
		this.out.println(text);
	}

	/**
	 * Tells how far something is.
	 * @param text a line
	 */
	public synchronized void progress(String text) {
		if (this.silent) {
			return;
		}
		if (this.terminal) {
			// back to the line's begin, no wrapping, and clear what is right of the text
			this.out.print("\r\u001b[?7l" + text + "\u001b[K\u001b[?7h");
			this.out.flush();
			this.progressShown = true;
		}
		else if (System.nanoTime() - this.nextLine >= 0) {
			this.out.println(text);
			this.nextLine = System.nanoTime() + BETWEEN_LINES;
		}
	}

	/**
	 * Prints a last line. What comes after that is not printed.
	 * @param text the line
	 */
	public synchronized void lastLine(String text) {
		line(text);
		this.silent = true;
	}

}
