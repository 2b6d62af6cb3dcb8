/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class MarkdownTableTests {

	@Test
	void runsOfOneMachineHaveOneHeadAndOneTable() {
		Report handover = report("handover", "--rounds 3", Set.of("RabbitMQ 4.0.5"),
				Figure.of("ratio", "", List.of(12.0, 13.0, 12.5)).atLeast(20), null);
		Report flood = report("flood", "", Set.of(), Figure.of("p50", "ms", 0.666), "IllegalStateException: a | b\nc");
		assertThat(MarkdownTable.of(List.of(handover, flood))).isEqualTo("""
				2 cores

				- handover --rounds 3: 2026-11-27T05:34, 60 s, load 0.5 before and 2.2 after, RabbitMQ 4.0.5
				- flood: 2026-11-27T05:34, 60 s, load 0.5 before and 2.2 after

				| figure | target | measured | met |
				|---|--:|--:|---|
				| handover: ratio | ≥ 20 | 12.5 (12 to 13) | no |
				| flood: p50 |  | 0.67 ms |  |
				| flood: IllegalStateException: a \\| b | | | failed |
				""");
	}

	private static Report report(String name, String options, Set<String> servers, Figure figure, String failure) {
		return new Report(name, options, "2026-11-27T05:34", 60, List.of(0.5, 2.2), "2 cores", servers, List.of(figure),
				failure);
	}

	@ParameterizedTest
	@CsvSource({ "12837.4, '12,837'", "100, 100", "12.54, 12.5", "0.524, 0.52", "-14, -14", "0, 0" })
	void aNumberHasAsManyDigitsAsSaySomething(double value, String text) {
		assertThat(MarkdownTable.number(value)).isEqualTo(text);
	}

}
