/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ArgumentTests {

	@Test
	void refusalsSpeakOfOptions() {
		assertThat(Argument.translated("'messageType' is missing.")).isEqualTo("--type is missing.");
		assertThat(Argument.translated("If all are meant, say all=true.")).isEqualTo("If all are meant, say --all.");
		assertThat(Argument.translated("'order-7' is no instant.")).isEqualTo("'order-7' is no instant.");
	}

}
