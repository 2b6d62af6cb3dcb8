/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the numbers of the management API prove that queues are empty.
 */
class UnsettledMessagesTests {

	private static final long TICK = UnsettledMessages.TICK.toNanos();

	private final List<SeenDepth> seen = new ArrayList<>();

	private final Set<String> existing = new HashSet<>(Set.of("a", "b"));

	private final UnsettledMessages unsettled = new UnsettledMessages(List.of("a", "b"),
			(queues) -> List.copyOf(this.seen), this.existing::contains);

	@Test
	void emptyQueuesAreEmptyOnceATickHasPassed() {
		see("node1", 0, "node2", 0);
		assertThat(this.unsettled.isDue(0)).isTrue();
		assertThat(this.unsettled.look(0)).contains("not known yet");
		assertThat(this.unsettled.isDue(TICK - 1)).isFalse();
		assertThat(this.unsettled.isDue(TICK)).isTrue();
		assertThat(this.unsettled.look(TICK)).isNull();
	}

	@Test
	void aNewLeaderHasToCountForATickItself() {
		see("node1", 1, "node2", 0);
		this.unsettled.look(0);
		see("node2", 0, "node2", 0);
		assertThat(this.unsettled.look(TICK)).contains("'a'").contains("not known yet");
		assertThat(this.unsettled.isDue(2 * TICK - 1)).isFalse();
		assertThat(this.unsettled.look(2 * TICK)).isNull();
	}

	@Test
	void whatIsNotSettledIsNamedAndLookedAtAgainSoon() {
		see("node1", 0, "node2", 3);
		this.unsettled.look(0);
		assertThat(this.unsettled.look(TICK))
			.isEqualTo("Queue 'b' is not empty: 3 messages are with consumers, or dead-lettered and not confirmed");
		assertThat(this.unsettled.isDue(TICK + 1_000_000_000)).isTrue();
		see("node1", 0, "node2", 0);
		assertThat(this.unsettled.look(TICK + 1_000_000_000)).isNull();
	}

	@Test
	void anUnknownNumberIsNoProof() {
		see("node1", 0, "node2", -1);
		this.unsettled.look(0);
		assertThat(this.unsettled.look(TICK)).contains("'b'").contains("not known yet");
	}

	@Test
	void aQueueThatANodeLeavesOutOfItsAnswerIsNotEmpty() {
		this.seen.add(new SeenDepth("a", "node1", 0));
		this.unsettled.look(0);
		assertThat(this.unsettled.look(TICK)).contains("'b'").contains("not known yet");
		this.existing.remove("b");
		assertThat(this.unsettled.look(2 * TICK)).isNull();
	}

	@Test
	void aTickHasToPassAnewAfterSomethingWasReady() {
		see("node1", 0, "node2", 0);
		this.unsettled.look(0);
		this.unsettled.begin();
		assertThat(this.unsettled.isDue(1)).isTrue();
		assertThat(this.unsettled.look(TICK)).contains("not known yet");
		assertThat(this.unsettled.look(2 * TICK)).isNull();
	}

	private void see(String leaderOfA, long inA, String leaderOfB, long inB) {
		this.seen.clear();
		this.seen.add(new SeenDepth("a", leaderOfA, inA));
		this.seen.add(new SeenDepth("b", leaderOfB, inB));
	}

}
