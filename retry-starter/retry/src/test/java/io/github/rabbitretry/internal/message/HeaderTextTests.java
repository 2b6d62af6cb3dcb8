/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HeaderTextTests {

	@Test
	void leavesShortTextAlone() {
		assertThat(HeaderText.bounded("short", 5)).isEqualTo("short");
		assertThat(HeaderText.bounded("ü", 3)).isEqualTo("ü");
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain text that is long", "üüüüüüüüüüüüüü", "€€€€€€€€€€", "😀😀😀😀😀😀" })
	void neverExceedsItsBytesNorBreaksACharacter(String text) {
		for (int bytes = 3; bytes < 30; bytes++) {
			String bounded = HeaderText.bounded(text, bytes);
			assertThat(bounded.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(bytes);
			assertThat(new String(bounded.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).isEqualTo(bounded);
		}
	}

}
