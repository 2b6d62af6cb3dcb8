/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

/**
 * A side did something else than what is measured.
 */
final class WrongOutcomeException extends Exception {

	private static final long serialVersionUID = 1L;

	WrongOutcomeException(Contender side, BenchmarkEnvironment environment, String problem) {
		super("%s, of %d messages: %s".formatted(side.name(), environment.messages(), problem));
	}

}
