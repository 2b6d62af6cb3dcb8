/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.Date;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.impl.LongStringHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.expression.ParseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OrderingKeyTests {

	private static final Map<String, Object> HEADERS = Map.of("customer", "c-1", "number", 7, "tenant", "t");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "header:customer | c-1", "header: customer | c-1", "header:number | 7",
					"routing-key | order.create", "headers['customer'] | c-1", "headers.customer | c-1",
					"headers['tenant'] + '-' + headers['number'] | t-7", "routingKey | order.create",
					"headers['none'] ?: headers['customer'] | c-1", "headers['customer'].substring(2) | 1" })
	void isReadFromHeadersAndRoutingKey(String text, String key) {
		assertThat(OrderingKey.parse(text).of(HEADERS, "order.create")).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:none", "headers['none']", "headers.none", "headers['none'].substring(1)" })
	void isNullIfTheMessageHasNone(String text) {
		assertThat(OrderingKey.parse(text).of(HEADERS, "order.create")).isNull();
	}

	/** SpEL throws what a method throws, and takes anything for a value. */
	@ParameterizedTest
	@ValueSource(strings = { "headers['tenant'].substring(0, 4)", "headers['table']", "header:table", "header:list" })
	void isNullIfItCanNotBeComparedOrRead(String text) {
		assertThat(OrderingKey.parse(text)
			.of(Map.of("tenant", "t", "customer", "c-1", "table", Map.of("a", 1), "list", List.of("a")),
					"order.create"))
			.isNull();
	}

	@Test
	void isTheSameForEqualBytes() {
		OrderingKey key = OrderingKey.parse("header:key");
		assertThat(key.of(Map.of("key", new byte[] { 1, -1 }), "a")).isEqualTo("01ff");
		assertThat(key.of(Map.of("key", LongStringHelper.asLongString("c-1")), "a")).isEqualTo("c-1");
	}

	@Test
	void isTheSameForAllMessagesIfThereIsNone() {
		OrderingKey key = OrderingKey.parse(null);
		assertThat(key.of(HEADERS, "a")).isEqualTo(key.of(Map.of(), "b"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.System).getProperty('user.dir')", "new String('a')" })
	void reachesNoTypes(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse(text));
	}

	/** The name of a header alone is the likeliest mistake. */
	@ParameterizedTest
	@ValueSource(strings = { "customer", "routingkey", "headers", "#root", "headers['a'] = 'b'", "{headers['a']}",
			"headers['a']++", "--headers['a']", "@keys.of(headers)", "@keys", "#accountId", "#hash(headers['a'])",
			"getHeader('a')", "header('a')", "null", "'constant'", "headers['a'] ?: customer" })
	void mustBePossible(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse(text));
	}

	/** What fails with a text may do with a table, a number or a date. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "headers['account'].id | 7", "headers.account.id | 7", "headers['deaths'][0].queue | q",
					"headers['deaths'][0]['queue'] | q", "headers['when'].time | 5",
					"'%05d'.formatted(headers['no']) | 00042",
					"headers['long'].repeat(headers['long'].length() - 10) | 01234567890",
					"headers.size() > 99 ? headers['a'] : headers.account.id | 7", "get('headers').no | 42",
					"headers['deaths'].![queue][0] | q", "headers['deaths'].?[queue == 'q'].size() | 1",
					"headers[no] | 42", "#root.headers['no'] | 42", "#root['routingKey'] | order.create",
					"headers['no'] + routingKey.length() | 54", "headers['no'] matches '[0-9]+' ? 'n' : 't' | n" })
	void isPossibleIfOneMessageHasIt(String text, String key) {
		Map<String, Object> headers = Map.of("account", Map.of("id", 7), "deaths", List.of(Map.of("queue", "q")),
				"when", new Date(5), "no", 42, "long", "01234567890");
		assertThat(OrderingKey.parse(text).of(headers, "order.create")).isEqualTo(key);
	}

	@Test
	void namesWhatIsNotThere() {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse("customer"))
			.withMessageContaining("a header is headers['customer']");
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse("@keys.of(headers)"))
			.withMessageContaining("'@keys' is not accessible");
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse("headers['a']++"))
			.withMessageContaining("would change the message");
	}

	@Test
	void mustBeReadable() {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse("header:"));
		assertThatExceptionOfType(ParseException.class).isThrownBy(() -> OrderingKey.parse("headers["));
	}

}
