/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AcknowledgementTests {

	private final RecordedChannel broker = new RecordedChannel("4.3.0");

	private final LongAdder inFlight = new LongAdder();

	private final Acknowledgement delivery = new Acknowledgement(this.broker.channel, 7);

	@Test
	void aDeliveryIsInFlightUntilItIsSettled() {
		this.delivery.received(this.inFlight);
		assertThat(this.inFlight.sum()).isOne();
		this.delivery.acknowledge();
		this.delivery.acknowledge();
		assertThat(this.inFlight.sum()).isZero();
	}

	@Test
	void aReleasedDeliveryIsNotInFlightThoughItIsNotSettled() {
		this.delivery.received(this.inFlight);
		this.delivery.released();
		assertThat(this.inFlight.sum()).isZero();
		assertThat(this.delivery.settled()).isFalse();
		assertThat(this.delivery.acknowledge()).isTrue();
		assertThat(this.inFlight.sum()).isZero();
	}

	@Test
	void whatIsAcknowledgedCanNotBeGivenBackOrRejected() {
		assertThat(this.delivery.acknowledge()).isTrue();
		assertThat(this.delivery.giveBack()).isFalse();
		assertThat(this.delivery.reject()).isFalse();
		assertThat(this.broker.commands).containsExactly("basicAck 7 false");
	}

	@Test
	void whatIsRejectedIsDeadLetteredAndNeverRequeued() {
		assertThat(this.delivery.reject()).isTrue();
		assertThat(this.delivery.acknowledge()).isFalse();
		assertThat(this.broker.commands).containsExactly("basicReject 7 false");
	}

	@Test
	void whatIsGivenBackIsRequeuedAlone() {
		assertThat(this.delivery.giveBack()).isTrue();
		assertThat(this.broker.commands).containsExactly("basicNack 7 false");
	}

	@Test
	void showsWhetherItIsBegunAndSettled() {
		assertThat(this.delivery.begun()).isFalse();
		this.delivery.begin();
		assertThat(this.delivery.begun()).isTrue();
		assertThat(this.delivery.settled()).isFalse();
		assertThat(this.delivery.isSettled()).isFalse();
		this.delivery.acknowledge();
		assertThat(this.delivery.settled()).isTrue();
		assertThat(this.delivery.isSettled()).isTrue();
	}

	@Test
	void reportsThatItsChannelHadClosedBefore() {
		this.broker.failure = this.broker.closed();
		assertThat(this.delivery.acknowledge()).isFalse();
		this.broker.failure = new IOException("broken pipe");
		assertThat(new Acknowledgement(this.broker.channel, 8).reject()).isFalse();
	}

	@Test
	void aThreadWaitsNoLongerOnceTheChannelIsClosed() {
		assertThat(this.delivery.worthWaiting()).isTrue();
		this.broker.close();
		assertThat(this.delivery.worthWaiting()).isFalse();
		assertThat(this.delivery.open()).isFalse();
	}

	@Test
	void aRejectedPartHasItsWholeDeliveryDeadLetteredOnce() {
		List<Acknowledgement> parts = this.delivery.divide(2);
		assertThat(parts.get(1).reject()).isTrue();
		assertThat(parts.get(1).reject()).isFalse();
		assertThat(parts.get(0).reject()).isFalse();
		assertThat(this.broker.commands).containsExactly("basicReject 7 false");
	}

	@Test
	void aPartKnowsItsDelivery() {
		assertThat(this.delivery.divide(1).get(0).delivery()).isSameAs(this.delivery);
		assertThat(this.delivery.delivery()).isSameAs(this.delivery);
		assertThat(this.delivery.frameMax()).isEqualTo(131_072);
	}

}
