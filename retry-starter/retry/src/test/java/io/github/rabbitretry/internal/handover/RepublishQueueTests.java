/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepublishQueueTests {

	private final RepublishQueue waiting = new RepublishQueue();

	private final OutboundMessage due = OutboundMessageTests.submitted(1, new FakeChannel());

	private final OutboundMessage later = OutboundMessageTests.submitted(2, new FakeChannel());

	RepublishQueueTests() {
		this.later.publish();
		this.later.failed(1, PublicationFailure.REFUSED, Duration.ofSeconds(30));
	}

	@Test
	void onlyWhatIsDueIsPublished() {
		assertThat(this.waiting.hasDue()).isFalse();
		this.waiting.add(this.later);
		assertThat(this.waiting.hasDue()).isFalse();
		assertThat(this.waiting.poll()).isNull();
		this.waiting.add(this.due);
		assertThat(this.waiting.hasDue()).isTrue();
		assertThat(this.waiting.poll()).isSameAs(this.due);
		assertThat(this.waiting.poll()).isNull();
	}

	@Test
	void aWaitCanBeEnded() {
		this.waiting.add(this.later);
		assertThat(this.waiting.poll()).isNull();
		this.waiting.dueNow();
		assertThat(this.waiting.poll()).isSameAs(this.later);
	}

	@Test
	void someAreTakenOutAndTheOthersStay() {
		this.waiting.add(this.due);
		this.waiting.add(this.later);
		assertThat(this.waiting.take(this.later::equals)).containsExactly(this.later);
		assertThat(this.waiting.stream()).containsExactly(this.due);
		this.waiting.remove(this.due);
		assertThat(this.waiting.stream()).isEmpty();
	}

	@Test
	void isolatedOnesWaitApart() {
		OutboundMessage isolated = OutboundMessageTests.submitted(3, new FakeChannel());
		isolated.isolate();
		this.waiting.add(this.due);
		assertThat(this.waiting.hasIsolatedDue()).isFalse();
		this.waiting.add(isolated);
		assertThat(this.waiting.hasIsolatedDue()).isTrue();
		assertThat(this.waiting.stream()).containsExactly(this.due, isolated);
		assertThat(this.waiting.pollAny()).isSameAs(isolated);
		assertThat(this.waiting.pollAny()).isSameAs(this.due);
		this.waiting.add(isolated);
		assertThat(this.waiting.poll()).isNull();
		this.waiting.remove(isolated);
		assertThat(this.waiting.pollAny()).isNull();
	}

	@Test
	void theWaitOfAnIsolatedOneIsNotEnded() {
		this.later.isolate();
		this.waiting.add(this.later);
		this.waiting.dueNow();
		assertThat(this.waiting.hasDue()).isFalse();
	}

}
