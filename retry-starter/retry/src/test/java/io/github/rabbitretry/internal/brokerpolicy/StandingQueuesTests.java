/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StandingQueuesTests {

	private long seconds;

	private final StandingQueues standing = new StandingQueues(
			List.of(new QueueDefinition("q.retry.1m", QueueRole.RETRY, Map.of("x-message-ttl", 60_000L)),
					new QueueDefinition("q", QueueRole.WORK, Map.of())),
			() -> Duration.ofSeconds(this.seconds).toNanos());

	@Test
	void onlyRetryQueuesAreLookedAt() {
		assertThat(this.standing.queues()).containsExactly("q.retry.1m");
	}

	@Test
	void aQueueThatOnlyBecomesFullerForLongerThanItsDelayStands() {
		look(0, 0);
		look(10, 1);
		for (int second = 20; second <= 250; second += 10) {
			assertThat(look(second, second)).isEmpty();
		}
		assertThat(look(260, 260)).containsExactly("q.retry.1m");
		assertThat(look(270, 270)).as("told once").isEmpty();
	}

	@Test
	void aQueueThatSomethingLeavesDoesNotStand() {
		for (int second = 0; second <= 2000; second += 10) {
			assertThat(look(second, 100 - second / 10 % 20)).isEmpty();
		}
	}

	@Test
	void anEmptyQueueDoesNotStand() {
		look(0, 0);
		assertThat(look(1000, 0)).isEmpty();
		assertThat(look(1010, 5)).isEmpty();
		assertThat(look(1020, 5)).isEmpty();
	}

	@Test
	void aQueueThatWasEmptiedIsToldAboutAgain() {
		look(0, 5);
		assertThat(look(300, 5)).hasSize(1);
		look(310, 0);
		look(320, 5);
		assertThat(look(700, 5)).hasSize(1);
	}

	private List<String> look(long at, long ready) {
		this.seconds = at;
		return this.standing.found(Map.of("q.retry.1m", ready));
	}

}
