/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PausedConsumersTests {

	private static PausedConsumers consumers(PausedConsumers.ConsumerCount broker) {
		return new PausedConsumers(broker, Duration.ofMillis(1));
	}

	@Test
	void aQueueThatIsConsumedEndsItBeforeTheFirstStep() {
		Map<String, Long> counts = Map.of("order", 1L, "order.dlq", 0L);
		assertThatExceptionOfType(MigrationException.class)
			.isThrownBy(() -> consumers(counts::get).verify(List.of("order.dlq", "order")))
			.withMessageContaining("Nothing is done: queue 'order'")
			.withMessageContaining("has 1 consumer.");
	}

	@Test
	void consumersThatGoAreWaitedFor() throws IOException {
		Iterator<Long> counts = List.of(2L, 1L, 0L).iterator();
		consumers((queue) -> counts.next()).verify(List.of("order"));
		assertThat(counts).isExhausted();
	}

	@Test
	void consumersAreCountedInWords() {
		assertThat(List.of(PausedConsumers.counted(0), PausedConsumers.counted(1), PausedConsumers.counted(2)))
			.containsExactly("0 consumers", "1 consumer", "2 consumers");
	}

}
