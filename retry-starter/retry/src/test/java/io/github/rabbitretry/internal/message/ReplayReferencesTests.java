/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.Map;
import java.util.stream.Stream;

import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.event.ReplayReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayReferencesTests {

	@Test
	void isReadAsTheBrokerDeliversIt() {
		assertThat(
				ReplayReferences.of(Map.of("x-replay-id", LongStringHelper.asLongString("r-1"), "x-replay-item", 7L)))
			.isEqualTo(new ReplayReference("r-1", 7));
	}

	@ParameterizedTest
	@MethodSource
	void isNotBelievedIfItCanNotBeOurs(Map<String, Object> headers) {
		assertThat(ReplayReferences.of(headers)).isNull();
	}

	static Stream<Map<String, Object>> isNotBelievedIfItCanNotBeOurs() {
		return Stream.of(Map.of(), Map.of("x-replay-id", "r-1"), Map.of("x-replay-item", 7L),
				Map.of("x-replay-id", "r-1", "x-replay-item", "7"), Map.of("x-replay-id", 1, "x-replay-item", 7L),
				Map.of("x-replay-id", "", "x-replay-item", 7L),
				Map.of("x-replay-id", "r".repeat(65), "x-replay-item", 7L));
	}

	@Test
	void isAbsentWithoutHeaders() {
		assertThat(ReplayReferences.of(null)).isNull();
	}

}
