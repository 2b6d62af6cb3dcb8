/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The matrix of the documentation.
 */
class ListenerPageTests {

	@Test
	void hasTheCellsThatAreTestedAndNoOthers() {
		List<List<String>> table = ListenerPage.table("What is covered");
		List<String> header = table.get(0);
		Stream<List<String>> cells = table.stream()
			.skip(1)
			.flatMap((row) -> Stream.of(row.get(1).split(", "))
				.flatMap((container) -> IntStream.range(2, row.size())
					.filter((column) -> row.get(column).equals("yes"))
					.mapToObj((column) -> List.of(row.get(0), container, header.get(column)))));
		assertThat(cells).containsExactlyInAnyOrderElementsOf(ListenerKindsIntegrationTests.cells()
			.map((cell) -> Stream.of(cell.get()).map(Object::toString).toList())
			.toList());
	}

}
