/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MixTests {

	@ParameterizedTest
	@ValueSource(ints = { Mix.FEWEST, 99, 300, 10_000 })
	void thereAreAsManyOrdersAsAskedForOfAllKindsAndOneThatKills(int orders) {
		Mix mix = Mix.of(orders);
		assertThat(mix.counts()).containsOnlyKeys(Kind.values()).containsEntry(Kind.KILLER, 1);
		assertThat(mix.counts().values()).allMatch((count) -> count > 0);
		assertThat(mix.total()).isEqualTo(orders);
		assertThat(mix.orders("run")).hasSize(orders);
	}

	@Test
	void ordersComeMixedAndTheSameEachTime() {
		Map<String, Kind> orders = Mix.of(1000).orders("run");
		List<Kind> kinds = new ArrayList<>(orders.values());
		assertThat(kinds).isEqualTo(new ArrayList<>(Mix.of(1000).orders("other").values()));
		assertThat(kinds).isNotEqualTo(kinds.stream().sorted().toList());
		assertThat(kinds.indexOf(Kind.KILLER)).isBetween(300, 400);
	}

	@Test
	void bodiesAreWrittenForTheirOrder() {
		assertThat(Kind.HEALTHY_PAYMENT.body("run-1")).isEqualTo("""
				{"orderId":"run-1","card":"tok_visa","cents":4200}""");
		assertThat(Kind.MALFORMED.body("run-1")).contains("run-1").doesNotEndWith("}");
	}

}
