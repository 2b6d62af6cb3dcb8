/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConfirmChannelTests {

	private final FakeChannel broker = new FakeChannel();

	private final List<String> told = new ArrayList<>();

	private ConfirmChannel channel;

	private long failOn;

	@BeforeEach
	void open() throws IOException {
		this.channel = ConfirmChannel.open(this.broker.connection(), new ConfirmChannel.Outcome() {

			@Override
			public void confirmed(List<ConfirmChannel.Publication> publications) {
				publications.forEach((publication) -> {
					ConfirmChannelTests.this.told.add("confirmed " + publication.message().id());
					if (publication.message().id() == ConfirmChannelTests.this.failOn) {
						throw new OutOfMemoryError("while telling");
					}
				});
			}

			@Override
			public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
				ConfirmChannelTests.this.told.add(why.name() + " " + publication.message().id());
			}

			@Override
			public void closed(PublicationFailure why, ShutdownSignalException cause) {
				if (cause.getReason() != null) {
					ConfirmChannelTests.this.told.add("closed " + why.name() + " " + BrokerText.of(cause));
				}
			}

		});
	}

	@Test
	void aSingleConfirmTellsOfOnePublication() throws IOException {
		publish(1, 2, 3);
		this.broker.ack(2, false);
		assertThat(this.told).containsExactly("confirmed 2");
	}

	@Test
	void aMultipleConfirmTellsOfAllUpToItInTheirOrder() throws IOException {
		publish(1, 2, 3, 4);
		this.broker.ack(2, false);
		this.broker.ack(3, true);
		assertThat(this.told).containsExactly("confirmed 2", "confirmed 1", "confirmed 3");
	}

	@Test
	void whatIsConfirmedTwiceIsToldOnce() throws IOException {
		publish(1);
		this.broker.ack(1, false);
		this.broker.ack(1, true);
		assertThat(this.told).containsExactly("confirmed 1");
	}

	@Test
	void aReturnMakesTheConfirmAfterItAFailureOfThatPublicationAlone() throws IOException {
		publish(1, 2, 3);
		this.broker.giveBack(2);
		this.broker.ack(3, true);
		assertThat(this.told).containsExactly("RETURNED 2", "confirmed 1", "confirmed 3");
	}

	@Test
	void everyReturnMakesOneConfirmAFailureThoughAllAreOfOneHandover() throws IOException {
		publish(7, 7, 7);
		this.broker.giveBack(1);
		this.broker.giveBack(2);
		this.broker.ack(3, true);
		assertThat(this.told).containsExactly("RETURNED 7", "RETURNED 7", "confirmed 7");
	}

	/** Exception handlers of the client may keep the channel in spite of it. */
	@Test
	void noConfirmCountsAfterAReturnThatCouldNotBeNoted() throws IOException {
		publish(1, 2);
		ReflectionTestUtils.setField(this.channel, "returned", new HashMap<Long, Integer>() {

			@Override
			public Integer merge(Long key, Integer value,
					BiFunction<? super Integer, ? super Integer, ? extends Integer> sum) {
				throw new OutOfMemoryError("a test");
			}

		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.broker.giveBack(2));
		this.broker.ack(2, true);
		assertThat(this.told).containsExactly("LOST 1", "LOST 2");
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void anErrorSpoilsTheChannelToo() throws IOException {
		publish(1);
		this.broker.failure = new OutOfMemoryError("while encoding");
		assertThat(this.channel.publish(publication(2))).as("published, or its outcome told")
			.isEqualTo(PublicationFailure.LOST);
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.channel.publish(publication(3))).isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(2, true);
		assertThat(this.told).containsExactly("LOST 1");
	}

	@Test
	void aRetiredChannelPublishesNothingAndItsConfirmsCount() throws IOException {
		publish(1);
		assertThat(this.channel.retire()).isTrue();
		assertThat(this.channel.retire()).as("a second time").isFalse();
		assertThat(this.channel.publish(publication(2))).isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(1, false);
		assertThat(this.told).containsExactly("confirmed 1");
	}

	@Test
	void anErrorWhileAConfirmIsHandledDoesNotReachTheClientWhichWouldCloseTheChannel() throws IOException {
		this.failOn = 2;
		publish(1, 2, 3);
		this.broker.ack(2, false);
		this.broker.ack(3, true);
		assertThat(this.told).as("it is published again, if that is needed")
			.containsExactly("confirmed 2", "LOST 2", "confirmed 1", "confirmed 3");
	}

	@ParameterizedTest
	@CsvSource({ "404, NO_EXCHANGE", "403, FORBIDDEN", "406, SUSPECT", "541, SUSPECT" })
	void theReplyCodeOfTheBrokerTellsWhatTheEndOfTheChannelMeans(int code, PublicationFailure why) throws IOException {
		publish(1, 2);
		this.broker.shutDown(code, "WHY - the broker's text");
		assertThat(this.told).containsExactly("closed " + why.name() + " " + code + " WHY - the broker's text",
				why.name() + " 1", why.name() + " 2");
	}

	@Test
	void anIsolatedMessageIsAloneOnTheChannel() throws IOException {
		publish(1);
		OutboundMessage isolated = message(2);
		isolated.isolate();
		assertThat(this.channel.publish(new ConfirmChannel.Publication(isolated, isolated.publish())))
			.as("before the other one is confirmed")
			.isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(1, false);
		assertThat(this.channel.idle()).isTrue();
		assertThat(this.channel.publish(new ConfirmChannel.Publication(isolated, 2))).isNull();
		assertThat(this.channel.publish(publication(3))).as("before it is confirmed itself")
			.isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(2, false);
		publish(3);
		assertThat(this.told).containsExactly("confirmed 1", "confirmed 2");
	}

	@Test
	void whatIsNotConfirmedForASecondIsNotRefusedAndLetsOthersBePublished() throws IOException {
		OutboundMessage stuck = message(1);
		stuck.isolate();
		long before = System.nanoTime() - TimeUnit.SECONDS.toNanos(2);
		this.channel.publish(new ConfirmChannel.Publication(stuck, stuck.publish(), before));
		assertThat(this.channel.quiet()).isTrue();
		assertThat(this.channel.exclusive()).isFalse();
		OutboundMessage isolated = message(2);
		isolated.isolate();
		assertThat(this.channel.publish(new ConfirmChannel.Publication(isolated, isolated.publish()))).isNull();
		assertThat(this.channel.quiet()).isFalse();
		assertThat(this.channel.exclusive()).isTrue();
		assertThat(this.channel.publish(publication(3))).isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(2, false);
		assertThat(this.channel.exclusive()).isFalse();
		publish(3);
		this.broker.shutDown(406, "PRECONDITION_FAILED");
		assertThat(stuck.rejected()).as("with another one on the channel").isFalse();
	}

	@Test
	void anIsolatedMessageIsToBlameThoughAnOlderOneIsNotConfirmed() throws IOException {
		OutboundMessage stuck = message(1);
		long before = System.nanoTime() - TimeUnit.SECONDS.toNanos(2);
		this.channel.publish(new ConfirmChannel.Publication(stuck, stuck.publish(), before));
		OutboundMessage isolated = message(2);
		isolated.isolate();
		this.channel.publish(new ConfirmChannel.Publication(isolated, isolated.publish()));
		this.broker.shutDown(406, "PRECONDITION_FAILED");
		assertThat(isolated.rejected()).isTrue();
		assertThat(stuck.rejected()).isFalse();
		assertThat(this.told).containsExactly("closed SUSPECT 406 PRECONDITION_FAILED", "LOST 1", "SUSPECT 2");
	}

	@Test
	void ofTwoIsolatedMessagesTheLaterOneWaitsButIsNotCalledRefused() throws IOException {
		OutboundMessage stuck = message(1);
		stuck.isolate();
		long before = System.nanoTime() - TimeUnit.SECONDS.toNanos(2);
		this.channel.publish(new ConfirmChannel.Publication(stuck, stuck.publish(), before));
		OutboundMessage isolated = message(2);
		isolated.isolate();
		this.channel.publish(new ConfirmChannel.Publication(isolated, isolated.publish()));
		this.broker.shutDown(406, "PRECONDITION_FAILED");
		assertThat(isolated.rejected()).isFalse();
		assertThat(this.told).containsExactly("closed SUSPECT 406 PRECONDITION_FAILED", "LOST 1", "SUSPECT 2");
	}

	@Test
	void theOnlyMessageOnAChannelThatTheBrokerClosesIsToBlame() {
		OutboundMessage message = message(1);
		this.channel.publish(new ConfirmChannel.Publication(message, message.publish()));
		this.broker.shutDown(406, "PRECONDITION_FAILED");
		assertThat(message.rejected()).isTrue();
	}

	@Test
	void oneOfSeveralIsNotToBlame() {
		OutboundMessage message = message(1);
		this.channel.publish(new ConfirmChannel.Publication(message, message.publish()));
		publish(2);
		this.broker.shutDown(406, "PRECONDITION_FAILED");
		assertThat(message.rejected()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, true", "true, true" })
	void noMessageIsToBlameForTheEndOfAConnectionOrForOurs(boolean hardError, boolean byApplication) {
		OutboundMessage message = message(1);
		this.channel.publish(new ConfirmChannel.Publication(message, message.publish()));
		this.broker.shutDown(hardError, byApplication);
		assertThat(message.rejected()).isFalse();
		assertThat(this.told).containsExactly("LOST 1");
	}

	@Test
	void aCopyIsPublishedWhereItIsToGoAndMustFindAQueueThere() {
		publish(1);
		OutboundMessage reply = new OutboundMessage("", "reply", message(2).properties(), new byte[0], false);
		this.channel.publish(new ConfirmChannel.Publication(reply, reply.publish()));
		assertThat(this.broker.routes).containsExactly("ring queue true", " reply false");
	}

	@Test
	void anotherThreadPublishesAfterwards() throws Exception {
		publish(1);
		assertThat(CompletableFuture.supplyAsync(() -> this.channel.publish(publication(2))).get(5, TimeUnit.SECONDS))
			.isNull();
	}

	@Test
	void showsWhetherTheOldestIsLate() throws IOException {
		assertThat(this.channel.hasPublishedBefore(101)).as("nothing is").isFalse();
		OutboundMessage message = message(1);
		this.channel.publish(new ConfirmChannel.Publication(message, message.publish(), 100));
		assertThat(this.channel.hasPublishedBefore(100)).isFalse();
		assertThat(this.channel.hasPublishedBefore(101)).isTrue();
		this.broker.ack(1, false);
		assertThat(this.channel.hasPublishedBefore(101)).as("once it is confirmed").isFalse();
	}

	@Test
	void anAbortClosesTheChannelAndLosesWhatIsOnIt() {
		publish(1);
		this.channel.abort();
		assertThat(this.broker.isOpen()).isFalse();
		assertThat(this.told).containsExactly("LOST 1");
	}

	@Test
	void aMultipleRefusalTellsOfAllUpToIt() throws IOException {
		publish(1, 2, 3);
		this.broker.nack(2, true);
		assertThat(this.told).containsExactly("REFUSED 1", "REFUSED 2");
	}

	@Test
	void aRefusalOfOnePublicationDoesNotMakeAReturnOfTheNextOneCount() throws IOException {
		publish(7, 7);
		this.broker.giveBack(2);
		this.broker.nack(1, false);
		this.broker.ack(2, false);
		assertThat(this.told).containsExactly("REFUSED 7", "RETURNED 7");
	}

	@Test
	void aShutdownLosesWhatIsUnconfirmedAndNothingElse() throws IOException {
		publish(1, 2, 3);
		this.broker.ack(2, false);
		this.broker.shutDown();
		assertThat(this.told).containsExactly("confirmed 2", "LOST 1", "LOST 3");
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void theEndOfAClosedChannelThatTheClientTellsAgainIsNoNews() throws IOException {
		publish(1);
		this.broker.shutDown(404, "NOT_FOUND");
		this.told.clear();
		this.broker.shutDownAgain(404, "NOT_FOUND");
		assertThat(this.told).isEmpty();
	}

	@Test
	void aShutdownInTheMiddleOfAPublishingTellsItsLossOnce() {
		this.broker.meanwhile = this.broker::shutDown;
		assertThat(this.channel.publish(publication(1))).as("published, or its outcome told").isNull();
		assertThat(this.told).containsExactly("LOST 1");
	}

	@Test
	void onAClosedChannelNothingIsPublishedAndNothingTold() {
		this.broker.shutDown();
		assertThat(this.channel.publish(publication(1))).isEqualTo(PublicationFailure.UNSENT);
		assertThat(this.told).isEmpty();
	}

	@Test
	void anExceptionSpoilsTheChannelSinceCountsMayDiffer() throws IOException {
		publish(1, 2);
		this.broker.failure = new IOException("broken pipe");
		assertThat(this.channel.publish(publication(3))).as("published, or its outcome told")
			.isEqualTo(PublicationFailure.LOST);
		assertThat(this.told).containsExactly("LOST 1", "LOST 2");
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.channel.publish(publication(4))).isEqualTo(PublicationFailure.UNSENT);
		this.broker.ack(3, true);
		assertThat(this.told).as("after a confirm that nobody can match").hasSize(2);
	}

	@Test
	void aCopyThatCanNotBeEncodedSpoilsTheChannelToo() {
		this.broker.failure = new IllegalArgumentException("short string too long");
		assertThat(this.channel.publish(publication(1))).isEqualTo(PublicationFailure.LOST);
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void showsWhatIsUnconfirmed() throws IOException {
		OutboundMessage first = message(1);
		this.channel.publish(new ConfirmChannel.Publication(first, first.publish(), 100));
		OutboundMessage second = message(2);
		this.channel.publish(new ConfirmChannel.Publication(second, second.publish(), 200));
		OutboundMessage third = message(3);
		this.channel.publish(new ConfirmChannel.Publication(third, third.publish(), 300));
		first.failed(1, PublicationFailure.LOST, Duration.ofSeconds(30));
		this.channel.publish(new ConfirmChannel.Publication(first, first.publish(), 400));
		this.broker.ack(3, false);
		assertThat(this.channel.unconfirmed()).extracting((publication) -> publication.message().id())
			.as("though the first was published again")
			.containsExactly(1L, 2L, 1L);
	}

	@Test
	void whateverTheBrokerAnswersEachPublicationIsToldOnce() throws IOException {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		for (int run = 0; run < 300; run++) {
			FakeChannel any = new FakeChannel();
			List<Long> outcomes = new ArrayList<>();
			List<Long> returned = new ArrayList<>();
			List<Long> confirmed = new ArrayList<>();
			ConfirmChannel tested = ConfirmChannel.open(any.connection(), new ConfirmChannel.Outcome() {

				@Override
				public void confirmed(List<ConfirmChannel.Publication> publications) {
					publications.forEach((publication) -> outcomes.add(publication.message().id()));
					confirmed.addAll(outcomes.subList(outcomes.size() - publications.size(), outcomes.size()));
				}

				@Override
				public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
					outcomes.add(publication.message().id());
				}

			});
			long published = 0;
			int steps = random.nextInt(60);
			for (int step = 0; step < steps; step++) {
				if (published == 0 || random.nextInt(3) > 0) {
					tested.publish(publication(++published));
					if (random.nextInt(5) == 0) {
						returned.add(published);
						any.giveBack(published);
					}
				}
				else if (random.nextInt(6) > 0) {
					any.ack(1 + random.nextLong(published), random.nextBoolean());
				}
				else {
					any.nack(1 + random.nextLong(published), random.nextBoolean());
				}
			}
			any.shutDown();
			assertThat(outcomes).as("seed %d", seed).doesNotHaveDuplicates().hasSize((int) published);
			assertThat(confirmed).as("seed %d", seed).noneMatch(returned::contains);
		}
	}

	@Test
	void eachPublicationIsToldOnceWhileOthersPublishConfirmAndLose() throws Exception {
		for (int run = 0; run < 50; run++) {
			FakeChannel any = new FakeChannel();
			List<Long> outcomes = Collections.synchronizedList(new ArrayList<>());
			ConfirmChannel tested = ConfirmChannel.open(any.connection(), new ConfirmChannel.Outcome() {

				@Override
				public void confirmed(List<ConfirmChannel.Publication> publications) {
					publications.forEach((publication) -> outcomes.add(publication.message().id()));
				}

				@Override
				public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
					outcomes.add(publication.message().id());
				}

			});
			CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
				try {
					for (int sequence = 1; sequence <= 300; sequence++) {
						any.ack(sequence, sequence % 7 == 0);
					}
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
			CompletableFuture<Void> end = CompletableFuture.runAsync(any::shutDown,
					CompletableFuture.delayedExecutor(run * 10L, TimeUnit.MICROSECONDS));
			List<Long> unsent = new ArrayList<>();
			for (long id = 1; id <= 300; id++) {
				if (tested.publish(publication(id)) != null) {
					unsent.add(id);
				}
			}
			CompletableFuture.allOf(reader, end).get(10, TimeUnit.SECONDS);
			outcomes.addAll(unsent);
			assertThat(outcomes).doesNotHaveDuplicates().hasSize(300);
			assertThat(tested.idle()).isTrue();
		}
	}

	private void publish(long... ids) {
		for (long id : ids) {
			assertThat(this.channel.publish(publication(id))).isNull();
		}
	}

	private static ConfirmChannel.Publication publication(long id) {
		OutboundMessage message = message(id);
		return new ConfirmChannel.Publication(message, message.publish());
	}

	private static OutboundMessage message(long id) {
		return OutboundMessageTests.submitted(id, new FakeChannel());
	}

}
