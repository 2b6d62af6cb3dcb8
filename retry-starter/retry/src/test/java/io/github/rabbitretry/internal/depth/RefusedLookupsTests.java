/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RefusedLookupsTests {

	private final RefusedLookups queues = new RefusedLookups();

	private Instant now = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void whatIsRefusedAgainAndAgainIsAskedForLessAndLessOften() {
		List<Long> minutes = new ArrayList<>();
		for (int time = 0; time < 8; time++) {
			this.queues.add("order", this.now);
			Instant refused = this.now;
			while (!this.queues.due("order", this.now)) {
				this.now = this.now.plusSeconds(30);
			}
			minutes.add(Duration.between(refused, this.now).toMinutes());
		}
		assertThat(minutes).containsExactly(1L, 2L, 4L, 5L, 5L, 5L, 5L, 5L);
		assertThat(this.queues.due("other", this.now)).isTrue();
	}

	@Test
	void whatWasAnsweredBeginsAnew() {
		this.queues.add("order", this.now);
		this.queues.add("order", this.now);
		assertThat(this.queues.due("order", this.now.plus(RefusedLookups.FIRST))).isFalse();
		this.queues.remove("order");
		assertThat(this.queues.due("order", this.now)).isTrue();
		this.queues.add("order", this.now);
		assertThat(this.queues.due("order", this.now)).isFalse();
		assertThat(this.queues.due("order", this.now.plus(RefusedLookups.FIRST))).isTrue();
	}

}
