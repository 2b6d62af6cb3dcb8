/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class SafeTextTests {

	@ParameterizedTest
	@MethodSource("obeyed")
	void whatATerminalWouldObeyIsShown(String text, String shown) {
		assertThat(SafeText.line("a" + text + "b")).isEqualTo("a" + shown + "b");
		assertThat(SafeText.lines("a" + text + "b")).isEqualTo("a" + shown + "b");
	}

	static Stream<Arguments> obeyed() {
		return Stream.of(Arguments.of("\u001b[2J", "\\u001b[2J"), Arguments.of("\0", "\\u0000"),
				Arguments.of("\u009b31m", "\\u009b31m"), Arguments.of("\u202egnp", "\\u202egnp"),
				Arguments.of("\u2028", "\\u2028"), Arguments.of("\u200b", "\\u200b"), Arguments.of("\u007f", "\\u007f"),
				Arguments.of("\b", "\\u0008"));
	}

	@Test
	void aLineIsALine() {
		assertThat(SafeText.line("a\r\nb\tc")).isEqualTo("a\\u000d\\u000ab\\u0009c");
		assertThat(SafeText.lines("a\r\nb\tc\rd")).isEqualTo("a\nb\tc\\u000dd");
	}

	@Test
	void halfACharacterIsShown() {
		assertThat(SafeText.line("\ud800")).isEqualTo("\\ud800");
		assertThat(SafeText.line("\udb40\udc01")).isEqualTo("\\u{e0001}");
	}

	@Test
	void lettersOfAllLanguagesStay() {
		assertThat(SafeText.line("Grüße 订单 🐇")).isEqualTo("Grüße 订单 🐇");
	}

}
