/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.internal.message.ReceivedMessage;
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

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			<name>L&#246;we</name>                   | Löwe not found                         | *** not found
			<name>L&#xf6;we</name>                   | L&#246;we not found                    | *** not found
			<name>Löwe</name>                        | L&#xF6;we not found                    | *** not found
			<name>Smith&amp;Sons</name>              | Smith&Sons not found                   | ***&*** not found
			<name>Smith&Sons</name>                  | Smith&amp;Sons not found               | ***&*** not found
			<name>D&amp;#246;rte</name>              | Dörte not found                        | *** not found
			<mail>ada&#64;example.org</mail>         | can't reach ada@example.org            | can't reach ***
			{"name":"Löwe"}                          | 400: no customer L&ouml;we             | 400: no customer ***
			{"name":"Éloïse"}                        | 400: no customer &Eacute;lo&iuml;se    | 400: no customer ***
			{"name":"Löwe"}                          | near L\\u00f6we                        | near ***
			{"name":"L\u00f6we"}                    | near L\\u00f6we                        | near ***
			{"mail":"ada@example.org"}               | GET /people?mail=ada%40example.org     | GET /people?mail=***
			{"name":"Ada Löwe-Byron"}                | GET /people/by%20L%C3%B6we-Byron       | GET /people/by ***
			{"name":"Löwe"}                          | Lo\u0308we not found                   | *** not found
			{"note":"a%20b"}                         | forged%0aline and &#10;line            | forged line and  line
			""")
	void replacesWhatIsWrittenInAnotherWay(String body, String text, String masked) {
		assertThat(mask(body, null, text)).isEqualTo(masked);
	}

	@ParameterizedTest
	@CsvSource({ "ISO-8859-1, application/json;charset=ISO-8859-1, '{\"name\":\"Löwenherz\"}'",
			"windows-1252, text/plain; Charset=\"windows-1252\", Löwenherz",
			"ISO-8859-15, application/xml, '<?xml version=\"1.0\" encoding=''ISO-8859-15''?><name>Löwenherz</name>'",
			"UTF-16LE, application/xml, '<?xml version=\"1.0\" encoding=\"UTF-16\"?><name>Löwenherz</name>'",
			"UTF-16BE, application/json, '{\"name\":\"Löwenherz\"}'", "UTF-16, text/plain, Löwenherz",
			"UTF-8, text/plain;charset=no-such-charset, Löwenherz", "UTF-8, application/json;charset=, Löwenherz" })
	void readsABodyInTheCharsetThatTheContentTypeOrTheBodyNames(String charset, String contentType, String body) {
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().contentType(contentType).build(),
				body.getBytes(Charset.forName(charset)), "", "", "");
		assertThat(ExceptionTexts.MASKED.of(received).apply("no Löwenherz here")).isEqualTo("no *** here");
	}

	@Test
	void readsABodyInEachOfTheCharsetsThatItNames() {
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().contentEncoding("UTF-8")
			.contentType("text/plain;charset=ISO-8859-1")
			.build(), "Löwenherz".getBytes(StandardCharsets.ISO_8859_1), "", "", "");
		assertThat(ExceptionTexts.MASKED.of(received).apply("no Löwenherz")).isEqualTo("no ***");
	}

	@Test
	void replacesWhatHeadersOfTheProducerHold() {
		ReceivedMessage received = new ReceivedMessage(new BasicProperties.Builder().headers(Map.of("kind",
				LongStringHelper.asLongString("Kundin Mustermann"), "nested", Map.of("list", List.of("geheim", 4711)),
				"__TypeId__", "com.acme.Order", "x-app-owner", "orders-team"))
			.build(), new byte[0], "", "", "");
		assertThat(ExceptionTexts.MASKED.of(received)
			.apply("com.acme.Order of orders-team: headers={kind=Kundin Mustermann, nested={list=[geheim, 4711]}}"))
			.isEqualTo("com.acme.Order of orders-team: headers={kind=*** ***, nested={list=[***, ***]}}");
	}

	@Test
	void hidesATextWholeWhereTheBodyIsOfACompressedType() {
		ReceivedMessage zip = new ReceivedMessage(
				new BasicProperties.Builder().contentType("application/x-gzip").build(), new byte[] { 1 }, "", "", "");
		ReceivedMessage unnamed = new ReceivedMessage(new BasicProperties(), new byte[] { 0x1F, (byte) 0x8B, 8 }, "",
				"", "");
		assertThat(ExceptionTexts.MASKED.of(zip).apply("no order 17")).isEqualTo("***");
		assertThat(ExceptionTexts.MASKED.of(unnamed).apply("no order 17")).isEqualTo("***");
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
			.of(new ReceivedMessage(new BasicProperties.Builder().contentEncoding(encoding).build(),
					body.getBytes(StandardCharsets.UTF_8), "", "", ""))
			.apply(text);
	}

}
