/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class FigureTests {

	@Test
	void whatIsMeasuredIsTheMedianOfItsRounds() {
		assertThat(Figure.of("rate", "messages/s", List.of(9.0, 1.0, 2.0)).measured()).isEqualTo(2);
		assertThat(Figure.of("rate", "messages/s", List.of(4.0, 1.0, 2.0, 9.0)).measured()).isEqualTo(3);
	}

	@Test
	void aTargetIsMetAtItsBound() {
		assertThat(Figure.of("ratio", "", 20).atLeast(20).met()).isTrue();
		assertThat(Figure.of("ratio", "", 19.9).atLeast(20).met()).isFalse();
		assertThat(Figure.of("late", "ms", 100).atMost(100).met()).isTrue();
		assertThat(Figure.of("late", "ms", 101).atMost(100).met()).isFalse();
		assertThat(Figure.of("late", "ms", 101).met()).isNull();
	}

	@Test
	void itIsReadAsItWasWritten() {
		Figure figure = Figure.of("ratio", "", List.of(12.5, 14.0)).atLeast(20);
		String json = JsonMapper.shared().writeValueAsString(figure);
		assertThat(json).contains("\"measured\":13.25", "\"met\":false");
		assertThat(JsonMapper.shared().readValue(json, Figure.class)).isEqualTo(figure);
	}

}
