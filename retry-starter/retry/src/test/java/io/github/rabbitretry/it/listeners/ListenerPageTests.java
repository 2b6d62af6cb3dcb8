/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kinds of listeners that the documentation lists: each is tested in both containers
 * with each outcome.
 */
class ListenerPageTests {

	@Test
	void listsTheKindsThatAreTestedAndNoOthers() {
		Stream<String> kinds = ListenerPage.table("What is covered")
			.stream()
			.skip(1)
			.flatMap((row) -> Stream.of(row.get(1).split("; ")));
		assertThat(kinds)
			.containsExactlyInAnyOrderElementsOf(ListenerKinds.all().stream().map(ListenerKind::toString).toList());
	}

}
