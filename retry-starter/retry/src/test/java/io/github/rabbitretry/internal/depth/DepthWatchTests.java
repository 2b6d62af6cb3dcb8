/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DepthWatchTests {

	private final Map<String, Long> depths = new HashMap<>();

	private Instant now = Instant.parse("2026-07-01T12:00:00Z");

	private final DepthWatch watch = new DepthWatch(() -> this.depths, () -> this.now);

	@Test
	void aQueueIsAsOldAsItHasNotBeenSeenEmpty() {
		Instant first = this.now;
		this.depths.put("order", 1L);
		this.watch.look();
		this.now = first.plusSeconds(60);
		this.depths.put("order", 5L);
		assertThat(this.watch.look()).containsExactly(Map.entry("order", new DepthWatch.Seen(5, first)));
		this.depths.put("order", 0L);
		assertThat(this.watch.look()).isEmpty();
		this.depths.put("order", 2L);
		assertThat(this.watch.look()).containsExactly(Map.entry("order", new DepthWatch.Seen(2, this.now)));
	}

	@Test
	void noneWaitsLongerThanItsQueueHoldsIt() {
		DepthWatch.Seen seen = new DepthWatch.Seen(1, this.now);
		Instant later = this.now.plusSeconds(60);
		assertThat(seen.age(later, null)).isEqualTo(Duration.ofSeconds(60));
		assertThat(seen.age(later, Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void aQueueThatIsGoneIsForgotten() {
		this.depths.put("order", 1L);
		this.watch.look();
		this.depths.clear();
		this.watch.look();
		this.now = this.now.plusSeconds(5);
		this.depths.put("order", 1L);
		assertThat(this.watch.look().get("order")).isEqualTo(new DepthWatch.Seen(1, this.now));
	}

}
