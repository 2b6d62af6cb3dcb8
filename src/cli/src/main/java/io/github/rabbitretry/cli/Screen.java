/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;

import io.github.rabbitretry.cli.output.SafeText;

/**
 * Where a command prints: answers on standard output and nothing else, all the rest on
 * standard error.
 */
final class Screen {

	private final PrintStream out;

	private final PrintStream err;

	private final BufferedReader in;

	private final Terminals terminals;

	Screen(PrintStream out, PrintStream err, BufferedReader in, Terminals terminals) {
		this.out = out;
		this.err = err;
		this.in = in;
		this.terminals = terminals;
	}

	void answer(String text) {
		this.out.print(text);
		this.out.flush();
	}

	void note(String text) {
		this.err.println(SafeText.line(text));
		this.err.flush();
	}

	/** Text with line feeds of our own. */
	void usage(String text) {
		this.err.print(text);
		this.err.flush();
	}

	/** Replaces the line that the cursor is in. */
	void progress(String line) {
		this.err.print("\r\u001b[2K" + SafeText.line(line));
		this.err.flush();
	}

	void progressEnds() {
		this.err.println();
	}

	boolean moves() {
		return this.terminals.error();
	}

	boolean personThere() {
		return this.terminals.input() && this.terminals.error();
	}

	/**
	 * Asks a person.
	 * @param question the question
	 * @return whether the answer is yes
	 */
	boolean confirms(String question) {
		this.err.print(SafeText.line(question) + " [y/N] ");
		this.err.flush();
		try {
			String answer = Optional.ofNullable(this.in.readLine()).orElse("").strip();
			return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Asks a person for a secret, which is not shown.
	 * @param question the question
	 * @return the secret, empty if nobody is there
	 */
	static Optional<String> secret(String question) {
		return Optional.ofNullable(System.console())
			.map((console) -> console.readPassword("%s", SafeText.line(question)))
			.map(String::new);
	}

	/**
	 * What is a terminal.
	 *
	 * @param input whether somebody can answer
	 * @param error whether standard error is seen
	 */
	record Terminals(boolean input, boolean error) {

		private static final String PROPERTY = "rabbit-retry.terminals";

		/** The launcher knows; Java knows it of input and output together only. */
		static Terminals here() {
			String known = System.getProperty(PROPERTY);
			if (known != null) {
				return new Terminals(known.contains("0"), known.contains("2"));
			}
			return new Terminals(System.console() != null, System.console() != null);
		}

	}

}
