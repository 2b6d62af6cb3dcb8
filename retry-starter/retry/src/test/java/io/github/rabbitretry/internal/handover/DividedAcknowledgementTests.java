/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.List;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A delivery of several messages, each of which is settled by itself.
 */
class DividedAcknowledgementTests {

	private final FakeChannel channel = new FakeChannel();

	private final List<Acknowledgement> parts = new Acknowledgement(this.channel.channel(), 7).divide(3);

	@Test
	void isAcknowledgedWithTheLastOfThem() {
		assertThat(this.parts.get(1).acknowledge()).isTrue();
		assertThat(this.parts.get(0).acknowledge()).isTrue();
		assertThat(this.channel.acknowledged).isEmpty();
		assertThat(this.parts.get(2).acknowledge()).isTrue();
		assertThat(this.channel.acknowledged).containsExactly(7L);
	}

	@Test
	void isNotAcknowledgedIfOneIsAcknowledgedTwice() {
		assertThat(this.parts.get(0).acknowledge()).isTrue();
		assertThat(this.parts.get(0).acknowledge()).isFalse();
		this.parts.get(1).acknowledge();
		assertThat(this.channel.acknowledged).isEmpty();
	}

	@Test
	void isGivenBackOnceWithTheFirstThatIs() {
		this.parts.get(0).acknowledge();
		assertThat(this.parts.get(1).giveBack()).isTrue();
		assertThat(this.parts.get(2).open()).isFalse();
		assertThat(this.parts.get(2).giveBack()).isFalse();
		assertThat(this.channel.givenBack).containsExactly(7L);
		assertThat(this.channel.acknowledged).isEmpty();
	}

	@Test
	void tellsThatWhatIsAcknowledgedAfterThatComesBack() {
		this.parts.get(0).giveBack();
		assertThat(this.parts.get(1).acknowledge()).isFalse();
		assertThat(this.channel.acknowledged).isEmpty();
	}

	@Test
	void isClosedWithItsChannel() {
		this.channel.shutDown();
		assertThat(this.parts).noneMatch(Acknowledgement::open);
	}

	@Test
	void hasPartsOfWhichEachIsBegunByItself() {
		this.parts.get(0).begin();
		assertThat(this.parts.get(0).begun()).isTrue();
		assertThat(this.parts.get(1).begun()).isFalse();
		assertThat(this.parts).allMatch(Acknowledgement::open).allMatch(Acknowledgement::isPart);
	}

}
