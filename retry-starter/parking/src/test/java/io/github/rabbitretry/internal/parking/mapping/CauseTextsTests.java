/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CauseTextsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					Read timed out | Read timed out
					Order 4711 not found | Order # not found
					Order 0b5e7c1a-9d1f-4c0e-8a55-3f1e7f3f6a10 not found | Order # not found
					Quote AB-17 of 2026-07-01T12:00:00Z expired | Quote # of # expired
					No value for "some name" here | No value for # here
					Table 'customer data' doesn't exist | Table # doesn't exist
					mail to jane@example.org bounced | mail to # bounced
					I/O error on POST request for "http://gateway:8080/pay": Connection refused | I/O error on POST request for #: Connection refused
					can't read, won't read | can't read, won't read
					""")
	void whatDiffersFromMessageToMessageIsLeftOut(String message, String text) {
		assertThat(CauseTexts.common(message, false)).isEqualTo(text);
	}

	@Test
	void nullPointersInOtherCodeAreOtherCauses() {
		CauseTexts texts = new CauseTexts();
		String street = "Cannot invoke \"Address.street()\" because \"address\" is null";
		assertThat(texts.of("q", NullPointerException.class.getName(), street)).isEqualTo(street);
		assertThat(texts.of("q", IllegalStateException.class.getName(), "no \"order-1\"")).isEqualTo("no #");
	}

	@Test
	void aLineOfALogIsAboutTheTextsThatCausesMayHave() {
		assertThat(CauseTexts.spellings("a.B: 'x' of \"y\" after 8 s")).containsExactly("a.B: 'x' of \"y\" after 8 s",
				"a.B: # of # after # s", "a.B\n# of # after # s", "a.B: 'x' of \"y\" after # s",
				"a.B\n'x' of \"y\" after # s");
		assertThat(CauseTexts.spellings("no answer")).containsExactly("no answer");
		assertThat(CauseTexts.spellings("order-17")).as("# would find all").containsExactly("order-17");
	}

	@Test
	void anExceptionWhoseTextsAllDifferGetsABoundedNumberOfThem() {
		CauseTexts texts = new CauseTexts();
		for (int number = 0; number < 10 * CauseTexts.MOST_TEXTS; number++) {
			texts.of("order", "A", letters(number));
		}
		assertThat(texts.of("order", "A", letters(0))).isEqualTo(letters(0));
		assertThat(texts.of("order", "A", "something else")).isEqualTo(CauseTexts.ANY);
		assertThat(texts.of("order", "B", "something else")).isEqualTo("something else");
		assertThat(texts.of("order", "A", " ")).isNull();
	}

	private static String letters(int number) {
		return Integer.toString(number)
			.chars()
			.mapToObj((digit) -> String.valueOf((char) ('a' + digit - '0')))
			.reduce("", String::concat);
	}

	@Test
	void aLongTextIsCut() {
		for (String part : new String[] { "'a", "\"", "a-1", "@", "a@", "1", "'", "x", " '" }) {
			assertThat(CauseTexts.common(part.repeat(100_000), false).length()).as(part).isLessThan(300);
		}
	}

}
