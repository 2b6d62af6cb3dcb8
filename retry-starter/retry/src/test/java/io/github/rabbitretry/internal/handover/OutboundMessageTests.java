/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.message.AppHeaders;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutboundMessageTests {

	private static final HandoverCallback NO_REACTION = new HandoverCallback() {

		@Override
		public void confirmed(Duration elapsed) {
		}

		@Override
		public void abandoned() {
		}

	};

	private final OutboundMessage message = submitted(1, new FakeChannel());

	@Test
	void itKeepsItsHeadersWhenItGetsItsId() {
		OutboundMessage own = new OutboundMessage("ring", "queue",
				new BasicProperties.Builder().headers(Map.of("tenant", "t")).build(), new byte[0]);
		own.submitted(() -> 7, null, NO_REACTION);
		assertThat(own.properties().getHeaders()).isEqualTo(Map.of("tenant", "t", "x-app-handover-id", 7L));
	}

	@Test
	void publicationsAreNumbered() {
		assertThat(this.message.publish()).isEqualTo(1);
		assertThat(this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30))).isTrue();
		assertThat(this.message.publish()).isEqualTo(2);
	}

	@Test
	void aFailureOfAnEarlierPublicationDoesNotDisturbALaterOne() {
		this.message.publish();
		this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30));
		this.message.publish();
		assertThat(this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30))).isFalse();
		assertThat(this.message.failed(2, PublicationFailure.LOST, Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void aPublicationFailsOnce() {
		this.message.publish();
		assertThat(this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30))).isTrue();
		assertThat(this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30))).isFalse();
	}

	@Test
	void whatIsSettledIsNeitherPublishedNorFailedNorSettledAgain() {
		this.message.publish();
		assertThat(this.message.settle()).isTrue();
		assertThat(this.message.publish()).isEqualTo(-1);
		assertThat(this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30))).isFalse();
		assertThat(this.message.settle()).isFalse();
	}

	@Test
	void whatIsNotConfirmedWaitsTwiceAsLongEachTime() {
		assertThat(delays(PublicationFailure.TIMED_OUT)).containsExactly(30L, 60L, 120L, 240L, 480L, 600L, 600L);
		assertThat(this.message.isolated()).isFalse();
	}

	@Test
	void whatTheBrokerRefusesIsPublishedAloneAndLaterEachTime() {
		List<Long> delays = delays(PublicationFailure.SUSPECT);
		assertThat(this.message.isolated()).isTrue();
		assertThat(delays.get(0)).isZero();
		assertThat(delays.get(1)).isBetween(22L, 38L);
		assertThat(delays.get(2)).isBetween(45L, 75L);
		assertThat(delays.get(6)).isBetween(450L, 750L);
	}

	@Test
	void whatIsAcceptedAloneIsNotIsolatedAnyMoreUnlessItWasRefusedAlone() {
		this.message.failed(this.message.publish(), PublicationFailure.SUSPECT, Duration.ofSeconds(30));
		this.message.failed(this.message.publish(), PublicationFailure.LOST, Duration.ofSeconds(30));
		assertThat(this.message.isolated()).as("after a loss, which tells nothing").isTrue();
		this.message.failed(this.message.publish(), PublicationFailure.RETURNED, Duration.ofSeconds(30));
		assertThat(this.message.isolated()).isFalse();
		for (PublicationFailure why : List.of(PublicationFailure.SUSPECT, PublicationFailure.SUSPECT,
				PublicationFailure.RETURNED)) {
			this.message.failed(this.message.publish(), why, Duration.ofSeconds(30));
		}
		assertThat(this.message.isolated()).isTrue();
	}

	@Test
	void whatIsNotConfirmedAloneIsPublishedWithOthersAgain() {
		this.message.failed(this.message.publish(), PublicationFailure.SUSPECT, Duration.ofSeconds(30));
		this.message.failed(this.message.publish(), PublicationFailure.TIMED_OUT, Duration.ofSeconds(30));
		assertThat(this.message.isolated()).isFalse();
	}

	@Test
	void whatAChannelWasCertainlyClosedForWaitsAndStaysIsolated() {
		int number = this.message.publish();
		this.message.markRejected();
		this.message.failed(number, PublicationFailure.SUSPECT, Duration.ofSeconds(30));
		assertThat(this.message.refusedAlone()).isTrue();
		assertThat(this.message.getDelay(TimeUnit.SECONDS)).isBetween(20L, 38L);
		this.message.failed(this.message.publish(), PublicationFailure.RETURNED, Duration.ofSeconds(30));
		assertThat(this.message.isolated()).isTrue();
	}

	@Test
	void whatAMissingExchangeClosedAChannelForIsNotIsolated() {
		int number = this.message.publish();
		this.message.markRejected();
		this.message.failed(number, PublicationFailure.NO_EXCHANGE, Duration.ofSeconds(30));
		assertThat(this.message.rejected()).isTrue();
		assertThat(this.message.isolated()).isFalse();
		this.message.failed(this.message.publish(), PublicationFailure.SUSPECT, Duration.ofSeconds(30));
		assertThat(this.message.rejected()).as("which of several was refused is unknown").isFalse();
		assertThat(this.message.refusedAlone()).isFalse();
	}

	@Test
	void whatWasNotSentIsNotBegun() {
		assertThat(this.message.begun()).isFalse();
		int number = this.message.publish();
		assertThat(this.message.begun()).as("while it is published").isTrue();
		this.message.failed(number, PublicationFailure.UNSENT, Duration.ofSeconds(30));
		assertThat(this.message.begun()).isFalse();
		this.message.failed(this.message.publish(), PublicationFailure.LOST, Duration.ofSeconds(30));
		this.message.failed(this.message.publish(), PublicationFailure.UNSENT, Duration.ofSeconds(30));
		assertThat(this.message.begun()).as("the broker may have the one that was lost").isTrue();
	}

	@Test
	void whatIsGivenUpWhileItIsPublishedIsBegun() {
		this.message.publish();
		this.message.settle();
		assertThat(this.message.begun()).isTrue();
		OutboundMessage waiting = submitted(2, new FakeChannel());
		waiting.settle();
		assertThat(waiting.begun()).isFalse();
	}

	private List<Long> delays(PublicationFailure why) {
		List<Long> delays = new ArrayList<>();
		for (int time = 0; time < 7; time++) {
			this.message.failed(this.message.publish(), why, Duration.ofSeconds(30));
			delays.add(Math.round(this.message.getDelay(TimeUnit.MILLISECONDS) / 1000.0));
		}
		return delays;
	}

	@Test
	void aLateConfirmOfAnEarlierPublicationSettles() {
		this.message.publish();
		this.message.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30));
		this.message.publish();
		assertThat(this.message.settle()).isTrue();
	}

	@Test
	void eachFailureWaitsLongerThanTheOneBeforeUpToFiveSeconds() {
		List<Long> delays = new ArrayList<>();
		for (int publication = 1; publication <= 9; publication++) {
			this.message.publish();
			this.message.failed(publication, PublicationFailure.LOST, Duration.ofSeconds(30));
			delays.add(this.message.getDelay(TimeUnit.MILLISECONDS));
		}
		long[] expected = { 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000 };
		for (int index = 0; index < expected.length; index++) {
			assertThat(delays.get(index)).isBetween(expected[index] - 60, expected[index]);
		}
	}

	@Test
	void whateverHappensItIsSettledOnceAndNotPublishedAfterwards() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		for (int run = 0; run < 2_000; run++) {
			OutboundMessage any = submitted(1, new FakeChannel());
			int published = 0;
			int settled = 0;
			boolean waiting = true;
			for (int step = 0; step < 30; step++) {
				switch (random.nextInt(3)) {
					case 0 -> {
						int number = any.publish();
						assertThat(number).as("seed %d, run %d, step %d", seed, run, step)
							.isEqualTo((settled > 0 || !waiting) ? -1 : ++published);
						waiting = false;
					}
					case 1 -> {
						int number = random.nextInt(published + 2);
						boolean counts = settled == 0 && !waiting && number == published;
						assertThat(any.failed(number, PublicationFailure.LOST, Duration.ofSeconds(30)))
							.as("seed %d, run %d, step %d", seed, run, step)
							.isEqualTo(counts);
						waiting = waiting || counts;
					}
					default -> settled += any.settle() ? 1 : 0;
				}
			}
			assertThat(settled).isLessThanOrEqualTo(1);
		}
	}

	@Test
	void anIdThatWasGivenBeforeIsKept() {
		BasicProperties properties = new BasicProperties.Builder().headers(Map.of(AppHeaders.HANDOVER_ID, 7L)).build();
		OutboundMessage message = OutboundMessage.numbered("ring", "queue", properties, new byte[0]);
		message.submitted(() -> 8, new Acknowledgement(new FakeChannel().channel(), 1), NO_REACTION);
		assertThat(message.id()).isEqualTo(7);
		assertThat(message.properties()).isSameAs(properties);
	}

	@Test
	void anIdThatAProducerGaveIsReplaced() {
		BasicProperties foreign = new BasicProperties.Builder().headers(Map.of(AppHeaders.HANDOVER_ID, 7L)).build();
		OutboundMessage message = new OutboundMessage("ring", "queue", foreign, new byte[0]);
		message.submitted(() -> 8, new Acknowledgement(new FakeChannel().channel(), 1), NO_REACTION);
		assertThat(message.id()).isEqualTo(8);
		assertThat(message.properties().getHeaders()).containsEntry(AppHeaders.HANDOVER_ID, 8L);
	}

	static OutboundMessage submitted(long id, FakeChannel consuming) {
		OutboundMessage message = new OutboundMessage("ring", "queue", new BasicProperties(), new byte[0]);
		message.submitted(() -> id, new Acknowledgement(consuming.channel(), id), NO_REACTION);
		return message;
	}

}
