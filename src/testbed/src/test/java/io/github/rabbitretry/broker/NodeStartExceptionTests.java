/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NodeStartExceptionTests {

	@ParameterizedTest
	@CsvSource({ "'failed to start Ranch listener: {error,eaddrinuse}', true", "epmd: Address already in use, true",
			"No epmd answers on port 1, true", "ERROR: could not bind to distribution port 26713, true",
			"failed: no epmd next to erl, false", "schema integrity check failed, false" })
	void knowsAPortThatIsTaken(String lastWords, boolean taken) {
		assertThat(new NodeStartException("The node ended while it started\n" + lastWords).portTaken())
			.isEqualTo(taken);
	}

}
