/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import io.github.rabbitretry.broker.NoBrokerException;

/**
 * A program that prints what it measured.
 */
interface Program {

	/**
	 * Measures and prints.
	 * @throws Exception if that can't be done
	 */
	void run() throws Exception;

	/**
	 * What a {@code main} method does: runs, and ends the JVM, with 1 if anything failed.
	 * @param program what to run
	 */
	static void main(Program program) {
		int status = 1;
		try {
			program.run();
			status = 0;
		}
		catch (IllegalArgumentException | NoBrokerException ex) {
			System.err.println(ex.getMessage());
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
		System.exit(status);
	}

}
