/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.message.AppHeaders;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConfirmedPublisherTests {

	private final FakeConnections connections = new FakeConnections();

	private final FakeChannel consuming = new FakeChannel();

	private final AtomicInteger confirmed = new AtomicInteger();

	private final AtomicInteger abandoned = new AtomicInteger();

	private final AtomicInteger unsent = new AtomicInteger();

	private Executor executor = Runnable::run;

	private @Nullable Error callbackFailure;

	@Test
	void anOriginalIsAcknowledgedOnceItsCopyIsConfirmedAndNotBefore() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		assertThat(this.connections.last().published).hasSize(1);
		assertThat(this.consuming.acknowledged).isEmpty();
		assertThat(publisher.pending()).isEqualTo(1);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(publisher.pending()).isZero();
		assertThat(this.confirmed).hasValue(1);
	}

	@Test
	void everyCopyCarriesAnIdOfItsOwn() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		submit(publisher, 8);
		assertThat(this.connections.last().published)
			.extracting((properties) -> properties.getHeaders().get(AppHeaders.HANDOVER_ID))
			.containsExactly(1L, 2L);
	}

	@Test
	void whatCanNeverBePublishedIsFoundBeforeAnythingIsBegun() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		OutboundMessage unpublishable = new OutboundMessage("ring", "queue",
				new BasicProperties.Builder().messageId("\u20ac".repeat(100)).build(), new byte[0]);
		assertThat(publisher.submit(unpublishable, new Acknowledgement(this.consuming.channel(), 8), callback()))
			.hasValueSatisfying((problem) -> assertThat(problem).contains("can't be encoded"));
		assertThat(this.connections.last().published).hasSize(1);
		assertThat(this.connections.last().isOpen()).isTrue();
		assertThat(publisher.pending()).isEqualTo(1);
	}

	@Test
	void aReturnedCopyIsPublishedAgainWhileItsOriginalIsHeld() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		this.connections.last().giveBack(1);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).isEmpty();
		Awaitility.await().until(() -> published(publisher) == 2);
		this.connections.last().ack(2, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void anUnconfirmedCopyIsPublishedAgainAndALateConfirmCounts() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(20));
		submit(publisher, 7);
		Awaitility.await().until(() -> published(publisher) == 2);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		this.connections.last().ack(2, false);
		assertThat(this.consuming.acknowledged).hasSize(1);
		assertThat(this.confirmed).hasValue(1);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void aChannelThatDoesNotConfirmIsGivenUpBeforePublishingAgain() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(20));
		submit(publisher, 7);
		Awaitility.await().until(() -> published(publisher) == 2);
		assertThat(this.connections.channels).hasSize(2);
		assertThat(this.connections.channels.get(0).isOpen()).isFalse();
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
	}

	@Test
	void aBrokerThatConfirmsNothingTwiceInARowIsConnectedToAgain() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(20));
		this.connections.connectElsewhere();
		submit(publisher, 7);
		Awaitility.await().until(() -> published(publisher) == 2);
		assertThat(this.connections.aborted).hasValue(0);
		Awaitility.await().until(() -> published(publisher) == 3);
		Awaitility.await().until(() -> this.connections.aborted.get() == 1);
		Awaitility.await().until(() -> published(publisher) == 4);
		assertThat(this.connections.aborted).as("more and more rarely").hasValue(1);
	}

	@Test
	void aCopyWhosePublishingFailsUnexpectedlyIsPublishedOnceMore() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		this.connections.last().giveBack(1);
		this.connections.last().ack(1, false);
		this.connections.last().notCounted = new OutOfMemoryError("a test");
		Awaitility.await().until(() -> published(publisher) == 2);
		assertThat(this.connections.last().notCounted).isNull();
		this.connections.last().ack(2, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void aThreadThatCanNotBeStartedCostsNoCopyAndIsAskedForAgain() throws IOException {
		AtomicInteger refusals = new AtomicInteger(2);
		this.executor = (task) -> {
			if (refusals.getAndDecrement() > 0) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			task.run();
		};
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		Awaitility.await().until(() -> published(publisher) == 1);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(refusals.get()).isNegative();
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void aLateConfirmCountsAsLongAsTheChannelThatIsGivenUpIsNotClosed() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(20));
		submit(publisher, 7);
		this.executor = (task) -> {
			// nothing is opened or closed from now on
		};
		FakeChannel first = this.connections.last();
		Awaitility.await().until(() -> {
			publisher.tick();
			return publisher.health().waiting().equals(Map.of("publisher-unconfirmed", 1));
		});
		assertThat(publisher.health().problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.code()).isEqualTo("publisher-unconfirmed"));
		first.ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(publisher.pending()).isZero();
		assertThat(publisher.health().problems()).isEmpty();
	}

	@Test
	void theCopyThatClosesAChannelIsHeldAndTheOthersArePublishedOnce() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		submit(publisher, 8);
		submit(publisher, 9);
		FakeChannel shared = this.connections.last();
		assertThat(shared.published).hasSize(3);
		shared.shutDown(406, "PRECONDITION_FAILED - message size 99 is larger than configured max size 10");
		List<String> order = new ArrayList<>();
		Awaitility.await().until(() -> {
			publisher.tick();
			FakeChannel alone = this.connections.last();
			if (alone.isOpen() && !alone.published.isEmpty()) {
				int last = alone.published.size();
				assertThat(this.consuming.acknowledged).as("one at a time").hasSizeGreaterThanOrEqualTo(last - 1);
				Object id = alone.published.get(last - 1).getHeaders().get(AppHeaders.HANDOVER_ID);
				order.add(id.toString());
				if (id.equals(2L)) {
					alone.shutDown(406, "PRECONDITION_FAILED - message size 99 is larger than configured max size 10");
				}
				else {
					alone.ack(last, false);
				}
			}
			return publisher.pending() == 1;
		});
		assertThat(order).containsExactlyInAnyOrder("1", "2", "3");
		assertThat(this.consuming.acknowledged).containsExactlyInAnyOrder(7L, 9L);
		assertThat(publisher.health().waiting()).isEqualTo(Map.of("message-refused", 1));
		assertThat(publisher.health().problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.detail()).contains("larger than configured max size 10"));
		int before = published(publisher);
		publisher.tick();
		assertThat(published(publisher)).as("it is not published again at once").isEqualTo(before);
	}

	@Test
	void whileTheExchangeIsMissingOneCopyAtATimeIsPublished() throws IOException {
		ConfirmedPublisher publisher = publisher(100, Duration.ofSeconds(30));
		for (int tag = 1; tag <= 50; tag++) {
			submit(publisher, tag);
		}
		assertThat(published(publisher)).isEqualTo(50);
		this.connections.last().shutDown(404, "NOT_FOUND - no exchange 'ring' in vhost '/'");
		Awaitility.await().until(() -> published(publisher) == 51);
		submit(publisher, 51);
		assertThat(published(publisher)).as("a new failure waits").isEqualTo(51);
		assertThat(publisher.health().problems()).allSatisfy((problem) -> {
			assertThat(problem.code()).isEqualTo("publisher-no-exchange");
			assertThat(problem.detail()).contains("no exchange 'ring'");
		});
		this.connections.last().shutDown(404, "NOT_FOUND - no exchange 'ring' in vhost '/'");
		Awaitility.await().until(() -> published(publisher) == 52);
		assertThat(publisher.pending()).isEqualTo(51);
		this.connections.last().ack(1, false);
		Awaitility.await().until(() -> published(publisher) >= 52 + 48);
		Awaitility.await().until(() -> {
			publisher.tick();
			confirm(this.connections.last(), this.connections.last().published.size());
			return publisher.pending() == 0;
		});
		assertThat(published(publisher)).as("those that were tried are published once more").isEqualTo(52 + 50);
		assertThat(this.consuming.acknowledged).hasSize(51).doesNotHaveDuplicates();
	}

	@Test
	void othersArePublishedBetweenIsolatedOnes() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 1);
		submit(publisher, 2);
		submit(publisher, 3);
		this.connections.last().shutDown(406, "PRECONDITION_FAILED");
		Awaitility.await().until(() -> published(publisher) == 3 + 1);
		submit(publisher, 4);
		submit(publisher, 5);
		publisher.tick();
		FakeChannel reopened = this.connections.last();
		assertThat(reopened.published).as("the isolated one is alone").hasSize(1);
		reopened.ack(1, false);
		publisher.tick();
		assertThat(reopened.published).as("then the others, at once").hasSize(3);
		publisher.tick();
		assertThat(reopened.published).as("and the next isolated one waits for them").hasSize(3);
		reopened.ack(3, true);
		publisher.tick();
		assertThat(reopened.published).hasSize(4);
		assertThat(this.consuming.acknowledged).hasSize(3).contains(4L, 5L);
		reopened.ack(4, false);
		publisher.tick();
		reopened.ack(5, false);
		assertThat(publisher.pending()).isZero();
		assertThat(this.connections.channels).as("the one that was closed and the reopened one").hasSize(2);
	}

	@Test
	void anIsolatedCopyThatIsNotConfirmedHoldsTheOthersNoLongerThanThat() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(300));
		submit(publisher, 1);
		submit(publisher, 2);
		this.connections.last().shutDown(406, "PRECONDITION_FAILED");
		Awaitility.await().until(() -> published(publisher) == 2 + 1);
		submit(publisher, 3);
		Awaitility.await().until(() -> published(publisher) > 3);
		assertThat(this.connections.channels).hasSizeGreaterThan(2);
		Awaitility.await().until(() -> {
			publisher.tick();
			confirm(this.connections.last(), this.connections.last().published.size());
			return publisher.pending() == 0;
		});
		assertThat(this.consuming.acknowledged).containsExactlyInAnyOrder(1L, 2L, 3L);
	}

	@Test
	void anIsolatedCopyThatIsNotConfirmedHoldsTheOthersForASecond() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 1);
		submit(publisher, 2);
		this.connections.last().shutDown(406, "PRECONDITION_FAILED");
		Awaitility.await().until(() -> published(publisher) == 2 + 1);
		submit(publisher, 3);
		Awaitility.await().until(() -> published(publisher) == 2 + 3);
		confirm(this.connections.last(), 3);
		assertThat(this.connections.channels).hasSize(2);
		assertThat(this.consuming.acknowledged).containsExactlyInAnyOrder(1L, 2L, 3L);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void theOthersWaitUntilTheLastIsolatedCopyIsConfirmedAndGoAtOnce() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 1);
		submit(publisher, 2);
		this.connections.last().shutDown(406, "PRECONDITION_FAILED");
		Awaitility.await().until(() -> published(publisher) == 2 + 1);
		this.connections.last().ack(1, false);
		assertThat(published(publisher)).isEqualTo(2 + 2);
		// no isolated one is left to be published
		publisher.tick();
		submit(publisher, 3);
		this.connections.last().ack(2, false);
		assertThat(published(publisher)).isEqualTo(2 + 3);
		assertThat(this.unsent).as("no publishing of it failed").hasValue(0);
	}

	@Test
	void aPartWhoseDeliveryIsGivenBackIsNotWaitedForAnyMore() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		DeliveryChannel channel = new DeliveryChannel(this.consuming.channel());
		List<Acknowledgement> parts = new Acknowledgement(channel, 7).divide(2);
		publisher.submit(new OutboundMessage("ring", "queue", new BasicProperties(), new byte[0]), parts.get(0),
				callback());
		parts.get(1).giveBack();
		publisher.tick();
		assertThat(this.abandoned).hasValue(1);
		assertThat(channel.awaitHandovers(System.nanoTime())).isTrue();
		assertThat(channel.open()).isTrue();
		assertThat(this.consuming.givenBack).as("once").containsExactly(7L);
	}

	@Test
	void whatWasGivenBackMeanwhileIsNotPublished() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		DeliveryChannel channel = new DeliveryChannel(this.consuming.channel());
		channel.giveBackAll();
		publisher.submit(new OutboundMessage("ring", "queue", new BasicProperties(), new byte[0]),
				new Acknowledgement(channel, 7), callback());
		assertThat(this.abandoned).hasValue(1);
		assertThat(publisher.pending()).isZero();
		assertThat(this.connections.channels).isEmpty();
	}

	@Test
	void aLateConfirmOfAChannelThatWasGivenUpTellsNothingOfTheNext() throws IOException {
		ConfirmedPublisher publisher = publisher(new PublisherConnection(this.connections.factory(), (beside) -> {
		}), 10, Duration.ofSeconds(30), true);
		OutboundMessage first = new OutboundMessage("ring", "queue", new BasicProperties(), new byte[0]);
		publisher.submit(first, 0, callback());
		publisher.tick();
		FakeChannel before = this.connections.last();
		submit(publisher, 2);
		submit(publisher, 3);
		List<Runnable> closings = new ArrayList<>();
		this.executor = closings::add;
		assertThat(publisher.withdraw(first)).isTrue();
		this.executor = (task) -> {
			// the one that opens a channel, and those that close the one before
			if (this.connections.channels.size() == 1) {
				this.executor = closings::add;
				task.run();
			}
		};
		Awaitility.await().until(() -> {
			publisher.tick();
			return this.connections.channels.size() == 2;
		});
		before.ack(1, false);
		publisher.tick();
		publisher.tick();
		assertThat(this.connections.last().published).as("one is tried").hasSize(1);
	}

	@Test
	void aCautiousPublisherTriesOneCopyOnEveryChannel() throws IOException {
		ConfirmedPublisher publisher = publisher(new PublisherConnection(this.connections.factory(), (beside) -> {
		}), 10, Duration.ofSeconds(30), true);
		for (int tag = 1; tag <= 5; tag++) {
			submit(publisher, tag);
		}
		assertThat(published(publisher)).isEqualTo(1);
		this.connections.last().ack(1, false);
		assertThat(published(publisher)).isEqualTo(5);
		this.connections.last().shutDown();
		Awaitility.await().until(() -> published(publisher) == 5 + 1);
		assertThat(published(publisher)).isEqualTo(5 + 1);
		this.connections.last().ack(1, false);
		Awaitility.await().until(() -> published(publisher) == 5 + 4);
		confirm(this.connections.last(), 4);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void anErrorWhilePublishingCostsNoCopyAndNoRoom() throws IOException {
		ConfirmedPublisher publisher = publisher(1, Duration.ofSeconds(30));
		submit(publisher, 7);
		this.connections.last().ack(1, false);
		this.connections.last().failure = new OutOfMemoryError("while encoding");
		submit(publisher, 8);
		Awaitility.await().until(() -> published(publisher) == 2);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L, 8L);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void anErrorOfACallbackLeavesRoomForTheNextHandover() throws IOException {
		ConfirmedPublisher publisher = publisher(1, Duration.ofSeconds(30));
		this.callbackFailure = new StackOverflowError("in a callback");
		submit(publisher, 7);
		this.connections.last().ack(1, false);
		assertThat(publisher.pending()).isZero();
		submit(publisher, 8);
		this.connections.last().ack(2, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L, 8L);
	}

	@Test
	void anErrorOfACallbackKeepsNoOtherOfTheSameConfirmFromItsEnd() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		this.callbackFailure = new StackOverflowError("in a callback");
		submit(publisher, 7);
		submit(publisher, 8);
		submit(publisher, 9);
		this.connections.last().ack(3, true);
		assertThat(this.consuming.acknowledged).containsExactly(7L, 8L, 9L);
		assertThat(this.confirmed).hasValue(3);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void aCopyOnAClosedChannelIsPublishedAgainOnAnother() throws IOException {
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		this.connections.last().shutDown();
		Awaitility.await().until(() -> {
			publisher.tick();
			return this.connections.channels.size() == 2 && this.connections.last().published.size() == 1;
		});
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
	}

	@Test
	void aCopyWhoseOriginalIsTheBrokersAgainIsNotPublishedAgain() {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(20));
		submit(publisher, 7);
		this.consuming.shutDown();
		Awaitility.await().until(() -> {
			publisher.tick();
			return publisher.pending() == 0;
		});
		assertThat(this.abandoned).hasValue(1);
		assertThat(this.connections.last().published).hasSize(1);
	}

	/** The broker reads slowly, and the tick takes as long. */
	@Test
	void copiesWhoseOriginalsBecomeTheBrokersWhileOthersArePublishedAreNotPublished() throws Exception {
		PublisherConnection link = new PublisherConnection(this.connections.factory(), (beside) -> {
		});
		ConfirmedPublisher publisher = publisher(link, 10, Duration.ofSeconds(30));
		submit(publisher, 6);
		link.refused("message size 11 is larger than configured max size 10");
		this.connections.block();
		submit(publisher, 7, "ring", "queue", 11);
		submit(publisher, 8);
		submit(publisher, 9);
		this.connections.unblock();
		this.connections.last().meanwhile = this.consuming::shutDown;
		assertThat(published(publisher)).as("with the one that was being published").isEqualTo(2);
		assertThat(published(publisher)).isEqualTo(2);
		assertThat(this.abandoned).hasValue(2);
	}

	@Test
	void anyFailureToConnectLeavesTheCopyWaiting() throws IOException {
		this.connections.failure = new IllegalStateException("a connection listener of the application's failed");
		ConfirmedPublisher publisher = publisher(10, Duration.ofSeconds(30));
		submit(publisher, 7);
		this.connections.failure = null;
		Awaitility.await().until(() -> published(publisher) == 1);
		this.connections.last().ack(1, false);
		assertThat(this.consuming.acknowledged).containsExactly(7L);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void underAnAlarmCopiesAreHeldAndThoseUnderWayNotTakenForLost() throws Exception {
		ConfirmedPublisher publisher = publisher(10, Duration.ofMillis(300));
		submit(publisher, 7);
		this.connections.block();
		submit(publisher, 8);
		Awaitility.await().pollDelay(Duration.ofMillis(400)).until(() -> published(publisher) == 1);
		this.connections.unblock();
		assertThat(published(publisher)).as("the one that waited, and not the other one again").isEqualTo(2);
		this.connections.last().ack(2, true);
		assertThat(this.consuming.acknowledged).containsExactly(7L, 8L);
	}

	@Test
	void beyondTheBoundAListenerWaitsForRoom() throws Exception {
		ConfirmedPublisher publisher = publisher(1, Duration.ofSeconds(30));
		submit(publisher, 7);
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> submit(publisher, 8));
		Awaitility.await().until(() -> publisher.pending() == 2);
		assertThat(this.connections.last().published).hasSize(1);
		this.connections.last().ack(1, false);
		Awaitility.await().until(second::isDone);
		this.connections.last().ack(2, false);
		assertThat(publisher.pending()).isZero();
		assertThat(this.consuming.acknowledged).containsExactly(7L, 8L);
	}

	@Test
	void aListenerThatWaitsForRoomGivesItsDeliveryBackWhenTheLaneEnds() {
		ConfirmedPublisher publisher = publisher(1, Duration.ofSeconds(30));
		submit(publisher, 7);
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> submit(publisher, 8));
		Awaitility.await().until(() -> publisher.pending() == 2);
		publisher.close();
		Awaitility.await().until(second::isDone);
		assertThat(this.consuming.givenBack).containsExactly(8L);
		assertThat(this.abandoned).hasValue(2);
		assertThat(publisher.pending()).isZero();
	}

	@Test
	void whateverTheBrokerDoesEveryOriginalIsSettledOnce() throws Exception {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		ConfirmedPublisher publisher = publisher(1_000, Duration.ofMillis(20));
		int submitted = 1;
		submit(publisher, submitted);
		for (int step = 0; step < 3_000; step++) {
			FakeChannel channel = this.connections.last();
			int published = channel.published.size();
			int any = (published > 0) ? 1 + random.nextInt(published) : 0;
			switch (random.nextInt(12)) {
				case 0, 1, 2, 3, 4 -> {
					if (publisher.pending() < 900) {
						submit(publisher, ++submitted);
					}
				}
				case 5, 6 -> publisher.tick();
				case 7 -> confirm(channel, any);
				case 8 -> {
					if (any > 0) {
						channel.nack(any, random.nextInt(10) == 0);
					}
				}
				case 9 -> {
					if (any > 0) {
						channel.giveBack(any);
					}
				}
				case 10 -> channel.failure = (random.nextInt(4) == 0) ? new IOException("broken pipe") : null;
				default -> {
					if (random.nextInt(20) == 0) {
						channel.shutDown();
					}
				}
			}
		}
		this.connections.last().failure = null;
		Awaitility.await().until(() -> {
			publisher.tick();
			FakeChannel channel = this.connections.last();
			channel.failure = null;
			confirm(channel, channel.published.size());
			return publisher.pending() == 0;
		});
		assertThat(this.confirmed).as("seed %d", seed).hasValue(submitted);
		assertThat(this.abandoned).as("seed %d", seed).hasValue(0);
		assertThat(this.consuming.acknowledged).as("seed %d", seed).doesNotHaveDuplicates().hasSize(submitted);
	}

	private static void confirm(FakeChannel channel, int sequence) throws IOException {
		if (sequence > 0) {
			channel.ack(sequence, true);
		}
	}

	private int published(ConfirmedPublisher publisher) {
		publisher.tick();
		return this.connections.channels.stream().mapToInt((channel) -> channel.published.size()).sum();
	}

	private ConfirmedPublisher publisher(int maxPending, Duration confirmTimeout) {
		return publisher(new PublisherConnection(this.connections.factory(), (beside) -> {
		}), maxPending, confirmTimeout);
	}

	private ConfirmedPublisher publisher(PublisherConnection link, int maxPending, Duration confirmTimeout) {
		return publisher(link, maxPending, confirmTimeout, false);
	}

	private ConfirmedPublisher publisher(PublisherConnection link, int maxPending, Duration confirmTimeout,
			boolean cautious) {
		return new ConfirmedPublisher("Order", link,
				new HandoverSettings(maxPending, confirmTimeout, Duration.ofSeconds(1)), cautious,
				(task) -> this.executor.execute(task), () -> {
				}, () -> {
				});
	}

	private void submit(ConfirmedPublisher publisher, long tag) {
		submit(publisher, tag, "ring", "queue");
	}

	private void submit(ConfirmedPublisher publisher, long tag, String exchange, String routingKey) {
		submit(publisher, tag, exchange, routingKey, 0);
	}

	private void submit(ConfirmedPublisher publisher, long tag, String exchange, String routingKey, int size) {
		publisher.submit(new OutboundMessage(exchange, routingKey, new BasicProperties(), new byte[size]),
				new Acknowledgement(this.consuming.channel(), tag), callback());
		if (this.connections.channels.isEmpty()) {
			// the first copy waits for its channel
			publisher.tick();
		}
	}

	private HandoverCallback callback() {
		return new HandoverCallback() {

			@Override
			public void confirmed(Duration elapsed) {
				ConfirmedPublisherTests.this.confirmed.incrementAndGet();
				if (ConfirmedPublisherTests.this.callbackFailure != null) {
					throw ConfirmedPublisherTests.this.callbackFailure;
				}
			}

			@Override
			public boolean failed(PublicationFailure why, String text) {
				if (why == PublicationFailure.UNSENT) {
					ConfirmedPublisherTests.this.unsent.incrementAndGet();
				}
				return true;
			}

			@Override
			public void abandoned() {
				ConfirmedPublisherTests.this.abandoned.incrementAndGet();
			}

		};
	}

}
