/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.Map;

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

	@Test
	void isTheSameForAllMessagesIfThereIsNone() {
		OrderingKey key = OrderingKey.parse(null);
		assertThat(key.of(HEADERS, "a")).isEqualTo(key.of(Map.of(), "b"));
	}

	@Test
	void reachesNoTypes() {
		OrderingKey key = OrderingKey.parse("T(java.lang.System).getProperty('user.dir')");
		assertThat(key.of(HEADERS, "a")).isNull();
	}

	@Test
	void mustBeReadable() {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderingKey.parse("header:"));
		assertThatExceptionOfType(ParseException.class).isThrownBy(() -> OrderingKey.parse("headers["));
	}

}
