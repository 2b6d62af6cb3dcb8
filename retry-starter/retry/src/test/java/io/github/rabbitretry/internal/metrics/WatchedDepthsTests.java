/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.depth.ParkedDepth;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WatchedDepthsTests {

	private final Map<String, Long> broker = new HashMap<>();

	private final Instant first = Instant.parse("2026-07-01T12:00:00Z");

	private Instant now = this.first;

	private final WatchedDepths depths = new WatchedDepths(() -> this.broker, List.of("order", "refund"),
			Map.of("refund", Duration.ofSeconds(10)), () -> this.now);

	@Test
	void aQueueIsAsOldAsItHasNotBeenSeenEmpty() {
		this.broker.put("order", 1L);
		this.depths.get();
		this.now = this.first.plusSeconds(60);
		this.broker.put("order", 5L);
		assertThat(this.depths.get()).containsEntry("order", new ParkedDepth(5, this.first));
		this.broker.put("order", 0L);
		assertThat(this.depths.get()).containsEntry("order", ParkedDepth.NONE);
		this.broker.put("order", 2L);
		assertThat(this.depths.get()).containsEntry("order", new ParkedDepth(2, this.now));
	}

	@Test
	void noneWaitsLongerThanItsQueueHoldsIt() {
		this.broker.put("refund", 1L);
		this.depths.get();
		this.now = this.first.plusSeconds(60);
		assertThat(this.depths.get()).containsEntry("refund", new ParkedDepth(1, this.now.minusSeconds(10)));
	}

	@Test
	void aQueueThatIsGoneIsForgotten() {
		this.broker.put("order", 1L);
		this.depths.get();
		this.broker.clear();
		assertThat(this.depths.get()).containsEntry("order", ParkedDepth.UNKNOWN);
		this.now = this.first.plusSeconds(5);
		this.broker.put("order", 1L);
		assertThat(this.depths.get()).containsEntry("order", new ParkedDepth(1, this.now));
	}

}
