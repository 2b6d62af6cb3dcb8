/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoutesTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			topic,  #,       a.b,   true
			topic,  #,       '',    true
			topic,  a.#,     a,     true
			topic,  a.#,     a.b.c, true
			topic,  *.b,     a.b,   true
			topic,  *.b,     b,     false
			topic,  #.b,     a.a.b, true
			topic,  a.*.c,   a.c,   false
			topic,  a.b,     axb,   false
			direct, a,       a,     true
			direct, #,       a,     false
			fanout, '',      a,     true
			""")
	void matchesKeysAsTheBrokerDoes(String type, String pattern, String key, boolean matches) {
		Routes routes = new Routes(broker(List.of(exchange("x", type, Map.of())), binding("x", pattern, "q")));
		assertThat(routes.published("x", key)).hasSize(matches ? 1 : 0);
	}

	@Test
	void whatNoBindingTakesGoesToTheAlternateExchange() {
		BrokerSnapshot broker = broker(
				List.of(exchange("x", "direct", Map.of("alternate-exchange", "y")), exchange("y", "fanout", Map.of())),
				binding("x", "a", "q"), binding("y", "", "other"));
		assertThat(new Routes(broker).published("x", "a")).extracting(Routes.Stop::queue).containsExactly("q");
		assertThat(new Routes(broker).published("x", "b")).extracting(Routes.Stop::queue).containsExactly("other");
		assertThat(new Routes(broker).published("x", null)).extracting(Routes.Stop::queue)
			.containsExactly("q", "other");
	}

	private static ExchangeSnapshot exchange(String name, String type, Map<String, Object> arguments) {
		return new ExchangeSnapshot(name, type, true, false, false, Map.copyOf(arguments));
	}

	private static BindingSnapshot binding(String source, String key, String queue) {
		return new BindingSnapshot(source, queue, true, key, key, Map.of());
	}

	private static BrokerSnapshot broker(List<ExchangeSnapshot> exchanges, BindingSnapshot... bindings) {
		return new BrokerSnapshot("/", "http://127.0.0.1", "4.0.5", Map.of(), 0,
				exchanges.stream().collect(Collectors.toMap(ExchangeSnapshot::name, (exchange) -> exchange)),
				Stream.of(bindings).toList(), true, List.of(), new BrokerPolicies(List.of()), Optional.empty(),
				Map.of(), null, List.of(), List.of());
	}

}
