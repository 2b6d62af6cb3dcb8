/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LogTextTests {

	@Test
	void isQuotedAndLeftAloneWhereItIsHarmless() {
		assertThat(LogText.of("order-1 é 日本 😀")).isEqualTo("'order-1 é 日本 😀'");
	}

	@Test
	void replacesEveryControl() {
		IntStream.concat(IntStream.rangeClosed(0, 0x1F), IntStream.rangeClosed(0x7F, 0x9F))
			.forEach((control) -> assertThat(LogText.of("a" + (char) control + "b")).as("U+%04X", control)
				.isEqualTo("'a?b'"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x2028, 0x2029, 0x061C, 0x200B, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E,
			0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0xE0001, 0xD800, 0xDC00 })
	void replacesSeparatorsAndWhatReordersOrHidesText(int codePoint) {
		assertThat(LogText.of("a" + Character.toString(codePoint) + "b")).isEqualTo("'a?b'");
	}

	@Test
	void isCutToAnyLengthWithoutQuotes() {
		assertThat(LogText.unquoted("a\nb" + "x".repeat(100), 10)).isEqualTo("a?bxxxx...");
	}

	@Test
	void isShort() {
		assertThat(LogText.of("x".repeat(10_000))).hasSize(130).endsWith("...'");
	}

}
