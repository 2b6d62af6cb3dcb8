/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.List;
import java.util.Map;

import com.rabbitmq.client.impl.LongStringHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OrderingKeyTests {

	private static final Map<String, Object> HEADERS = Map.of("customer", "c-1", "number", 7);

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "header:customer | c-1", "header: customer | c-1", "header:number | 7",
			"routing-key | order.create" })
	void isReadFromAHeaderOrTheRoutingKey(String text, String key) {
		assertThat(key(text).of(HEADERS, "order.create")).isEqualTo(key);
	}

	@Test
	void isNullIfTheMessageHasNone() {
		assertThat(key("header:none").of(HEADERS, "order.create")).isNull();
	}

	@Test
	void isNullIfItCanNotBeCompared() {
		Map<String, Object> headers = Map.of("table", Map.of("a", 1), "list", List.of("a"));
		assertThat(key("header:table").of(headers, "order.create")).isNull();
		assertThat(key("header:list").of(headers, "order.create")).isNull();
	}

	@Test
	void isTheSameForEqualBytes() {
		OrderingKey key = key("header:key");
		assertThat(key.of(Map.of("key", new byte[] { 1, -1 }), "a")).isEqualTo("01ff");
		assertThat(key.of(Map.of("key", LongStringHelper.asLongString("c-1")), "a")).isEqualTo("c-1");
	}

	@Test
	void isTheSameForAllMessagesIfThereIsNone() {
		assertThat(OrderingKey.same().of(HEADERS, "a")).isEqualTo(OrderingKey.same().of(Map.of(), "b"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "header:", "header: ", "customer", "routingKey", "headers['a']", "Routing-Key" })
	void isNothingElse(String text) {
		assertThat(OrderingKey.parse(text)).isEmpty();
	}

	private static OrderingKey key(String text) {
		return OrderingKey.parse(text).orElseThrow();
	}

}
