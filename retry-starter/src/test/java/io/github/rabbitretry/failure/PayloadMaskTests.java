/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.failure;

import java.nio.charset.StandardCharsets;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.handover.Received;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadMaskTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"orderId":"o-17","name":"Ada Lovelace"} | no order o-17 of Ada Lovelace          | no order *** of Ada ***
					{"orderId":"order-17"}                   | no such order-17                       | no such ***
					{"card":"4111 1111 1111"}                | declined: 4111 1111 1111               | declined: *** *** ***
					{"pin":123}                              | pin 123 is wrong                       | pin *** is wrong
					{"customer":{"id":9876}}                 | customer 9876 is unknown               | customer *** is unknown
					{"mail":"ada@example.org"}               | can't reach <Ada@Example.org>.         | can't reach <***>.
					{"name":"L\\u00f6we"}                    | Löwe not found                         | *** not found
					{"note":"say \\"banana\\""}              | unexpected banana                      | unexpected ***
					{"text":"confidential"}                  | cannot parse "confiden..."             | cannot parse "***..."
					{"name" : "x", "flag":true}              | name must be true                      | name must be true
					{"amount": 12345                         | Unexpected end-of-input after 12345    | Unexpected end-of-input after ***
					["secret"]                               | not a number: secret                   | not a number: ***
					<order><id>A7712</id></order>            | order id A7712 unknown                 | order id *** unknown
					plain secret text                        | Unrecognized token 'secret'            | Unrecognized token '***'
					{}                                       | Read timed out                         | Read timed out
					""")
	void replacesWhatABodyHolds(String body, String text, String masked) {
		assertThat(mask(body, null, text)).isEqualTo(masked);
	}

	@Test
	void hidesATextWholeWhereTheBodyIsCompressed() {
		assertThat(mask("x", "gzip", "no order 17")).isEqualTo("***");
		assertThat(mask("x", "UTF-8", "no order 17")).isEqualTo("no order 17");
	}

	@Test
	void hidesATextWholeThatTakesTooLongToCompare() {
		String body = "x".repeat(2_000_000);
		assertThat(mask(body, null, "no such word in it anywhere today ".repeat(20))).isEqualTo("***");
		assertThat(mask(body, null, "short text")).isEqualTo("short text");
	}

	@Test
	void endsForTextsAndBodiesOfAnyShape() {
		assertThat(mask("{\"".repeat(100_000), null, "a-".repeat(100_000))).isNotEmpty();
		assertThat(mask("{\"a\\", null, "text")).isEqualTo("text");
		assertThat(mask("{\"a\\u12", null, "text")).isEqualTo("text");
		assertThat(mask("", null, "text")).isEqualTo("text");
	}

	private static String mask(String body, @Nullable String encoding, String text) {
		return ExceptionTexts.MASKED
			.of(new Received(new BasicProperties.Builder().contentEncoding(encoding).build(),
					body.getBytes(StandardCharsets.UTF_8), "", "", ""))
			.apply(text);
	}

}
