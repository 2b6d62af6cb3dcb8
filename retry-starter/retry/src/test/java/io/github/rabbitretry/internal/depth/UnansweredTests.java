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

class UnansweredTests {

	private final Unanswered queues = new Unanswered();

	private Instant now = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void whatIsRefusedAgainAndAgainIsAskedForLessAndLessOften() {
		List<Long> minutes = new ArrayList<>();
		for (int time = 0; time < 8; time++) {
			this.queues.refused("order", true, this.now);
			Instant refused = this.now;
			while (!this.queues.due("order", this.now)) {
				this.now = this.now.plusSeconds(30);
			}
			minutes.add(Duration.between(refused, this.now).toMinutes());
		}
		assertThat(minutes).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
		assertThat(this.queues.notPermitted("order")).isTrue();
		assertThat(this.queues.due("other", this.now)).isTrue();
	}

	@Test
	void whatWasAnsweredBeginsAnew() {
		assertThat(this.queues.refused("order", false, this.now)).isTrue();
		assertThat(this.queues.refused("order", false, this.now)).isFalse();
		this.queues.answered("order");
		assertThat(this.queues.due("order", this.now)).isTrue();
		assertThat(this.queues.refused("order", false, this.now)).isTrue();
		assertThat(this.queues.due("order", this.now.plus(Unanswered.FIRST))).isTrue();
		assertThat(this.queues.notPermitted("order")).isFalse();
	}

}
