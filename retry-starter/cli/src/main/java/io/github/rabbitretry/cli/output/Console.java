/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * Where a command prints: answers on standard output and nothing else, all the rest on
 * standard error.
 */
public final class Console {

	private final PrintStream out;

	private final PrintStream err;

	private final BufferedReader in;

	private final Terminals terminals;

	public Console(PrintStream out, PrintStream err, BufferedReader in, Terminals terminals) {
		this.out = out;
		this.err = err;
		this.in = in;
		this.terminals = terminals;
	}

	public void answer(String text) {
		this.out.print(text);
		this.out.flush();
	}

	public void note(String text) {
		this.err.println(SafeText.line(text));
		this.err.flush();
	}

	public boolean shown() {
		return this.terminals.output();
	}

	public PrintWriter out() {
		return new PrintWriter(this.out, true);
	}

	public boolean personThere() {
		return this.terminals.input() && this.terminals.error();
	}

	/**
	 * Asks a person.
	 * @param question the question
	 * @return whether the answer is yes
	 */
	public boolean confirms(String question) {
		String answer = asks(question + " [y/N]");
		return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
	}

	/**
	 * Asks a person for something.
	 * @param question the question
	 * @return the answer, empty if there is none
	 */
	public String asks(String question) {
		this.err.print(SafeText.line(question) + " ");
		this.err.flush();
		try {
			return Optional.ofNullable(this.in.readLine()).orElse("").strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Asks a person for a secret, which is not shown.
	 * @param question the question
	 * @return the secret, empty without a terminal
	 */
	public static Optional<String> secret(String question) {
		return Optional.ofNullable(System.console())
			.map((console) -> console.readPassword("%s", SafeText.line(question)))
			.map(String::new);
	}

	/**
	 * What is a terminal.
	 *
	 * @param input whether there is a terminal to answer
	 * @param output whether answers are seen
	 * @param error whether standard error is seen
	 */
	public record Terminals(boolean input, boolean output, boolean error) {

		private static final String PROPERTY = "cli.terminals";

		/** The launcher knows; Java knows it of input and output together only. */
		public static Terminals here() {
			String known = System.getProperty(PROPERTY);
			if (known != null) {
				return new Terminals(known.contains("0"), known.contains("1"), known.contains("2"));
			}
			boolean terminal = System.console() != null;
			return new Terminals(terminal, terminal, terminal);
		}

	}

}
