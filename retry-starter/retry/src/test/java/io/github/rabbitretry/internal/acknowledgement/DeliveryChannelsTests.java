/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryChannelsTests {

	private final RecordedChannel broker = new RecordedChannel("4.3.0");

	private final List<Channel> closed = new ArrayList<>();

	private final DeliveryChannels channels = new DeliveryChannels();

	/** Those that are closed where a delivery goes back. */
	private final DeliveryChannels closing = new DeliveryChannels(this.closed::add);

	@Test
	void aChannelIsTheSameForAllItsDeliveriesUntilItCloses() {
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		assertThat(this.channels.of(this.broker.channel, "b")).isSameAs(channel);
		assertThat(this.channels.of(this.broker.channel, null)).isSameAs(channel);
		assertThat(channel.consumers()).isEqualTo(2);
		assertThat(this.channels.isEmpty()).isFalse();
		this.broker.close();
		assertThat(this.channels.isEmpty()).isTrue();
	}

	@Test
	void allIsGivenBackAfterTheConsumersAreCancelled() {
		this.channels.of(this.broker.channel, "a");
		this.channels.giveBackAll(System.nanoTime());
		assertThat(this.broker.commands).containsExactly("cancel a", "basicNack 0 true");
	}

	@Test
	void allIsGivenBackOnceCopiesThatWereJustPublishedAreConfirmed() {
		Acknowledgement delivery = new Acknowledgement(this.channels.of(this.broker.channel, "a"), 1);
		delivery.begin();
		CompletableFuture<Void> givingBack = CompletableFuture
			.runAsync(() -> this.channels.giveBackAll(System.nanoTime() + TimeUnit.MINUTES.toNanos(1)));
		Awaitility.await().until(() -> this.broker.commands.size() == 1);
		assertThat(delivery.acknowledge()).isTrue();
		assertThat(givingBack).succeedsWithin(Duration.ofSeconds(5));
		assertThat(this.broker.commands).containsExactly("cancel a", "basicAck 1 false", "basicNack 0 true");
	}

	@Test
	void whatIsHeldIsGivenBackUnlessACallOfItsListenerWill() {
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		this.channels.giveBackIdle();
		new Acknowledgement(channel, 1).begin();
		channel.callBegins();
		this.channels.giveBackIdle();
		assertThat(this.broker.commands).isEmpty();
		channel.callEnds();
		this.channels.giveBackIdle();
		assertThat(this.broker.commands).containsExactly("cancel a", "basicNack 0 true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.2.9", "unknown" })
	void nothingIsGivenBackWhereTheBrokerCountsThatAsAFailure(String version) {
		RecordedChannel older = new RecordedChannel(version);
		this.channels.of(older.channel, "a");
		this.channels.giveBackAll(System.nanoTime());
		assertThat(older.commands).isEmpty();
	}

	@Test
	void nothingIsGivenBackOnAChannelThatIsClosed() {
		this.channels.of(this.broker.channel, "a");
		this.channels.of(this.broker.channel, "a").giveBackAll();
		this.broker.commands.clear();
		this.channels.giveBackAll(System.nanoTime());
		assertThat(this.broker.commands).isEmpty();
	}

	@Test
	void aChannelThatGivesBackAtOnceIsClosedAndNothingIsSentOnIt() {
		DeliveryChannel channel = this.closing.of(this.broker.channel, "a");
		assertThat(channel.givesBackAtOnce()).isTrue();
		assertThat(this.channels.of(this.broker.channel, "a").givesBackAtOnce()).isFalse();
		channel.cancelConsumers(Duration.ofSeconds(1));
		this.closing.giveBackAll(System.nanoTime());
		assertThat(this.closed).isEmpty();
		assertThat(new Acknowledgement(channel, 1).giveBack()).isTrue();
		assertThat(this.closed).containsExactly(this.broker.channel);
		assertThat(this.broker.commands).isEmpty();
	}

	@Test
	void aBrokenOneIsClosedOnce() {
		this.broker.failure = new OutOfMemoryError("a test");
		new Acknowledgement(this.closing.of(this.broker.channel, "a"), 1).acknowledge();
		assertThat(this.closed).containsExactly(this.broker.channel);
	}

	@Test
	void anUnansweredCancellationIsTheLast() {
		this.broker.answers = false;
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		this.channels.of(this.broker.channel, "b");
		channel.cancelConsumers(Duration.ofMillis(20));
		assertThat(this.broker.commands).hasSize(1);
	}

	@Test
	void aChannelThatIsNotFreeForACancellationIsNotWaitedForLonger() {
		this.broker.free = new CountDownLatch(1);
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		assertThat(CompletableFuture.runAsync(() -> channel.cancelConsumers(Duration.ofMillis(20))))
			.succeedsWithin(Duration.ofSeconds(5));
		this.broker.free.countDown();
	}

	@Test
	void nothingIsCancelledOnABlockedConnection() throws IOException {
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		this.broker.block();
		channel.cancelConsumers(Duration.ofMinutes(1));
		assertThat(this.broker.commands).isEmpty();
	}

	@Test
	void anInterruptEndsTheCancellationAndIsKept() {
		this.broker.answers = false;
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		Thread.currentThread().interrupt();
		new Acknowledgement(channel, 1).cancelConsumers(Duration.ofMinutes(1));
		assertThat(Thread.interrupted()).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(this.broker.commands).containsExactly("cancel a"));
	}

	@Test
	void aConsumerThatTheBrokerCancelledIsNotWorthWaitingFor() {
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		this.channels.brokerCancelled("b");
		assertThat(channel.worthWaiting()).isTrue();
		this.channels.brokerCancelled("a");
		assertThat(channel.worthWaiting()).isFalse();
	}

	@Test
	void aTagThatTwoChannelsHaveTellsNotWhichIsCancelled() {
		DeliveryChannel channel = this.channels.of(this.broker.channel, "a");
		DeliveryChannel other = this.channels.of(new RecordedChannel("4.3.0").channel, "a");
		this.channels.brokerCancelled("a");
		assertThat(List.of(channel, other)).allMatch(DeliveryChannel::worthWaiting);
	}

	@Test
	void aChannelIsClosedWithoutWaitingForIt() {
		this.broker.failure = new OutOfMemoryError("a test");
		new Acknowledgement(this.channels.of(this.broker.channel, "a"), 1).acknowledge();
		Awaitility.await().untilAsserted(() -> assertThat(this.broker.commands).containsExactly("abort"));
	}

}
