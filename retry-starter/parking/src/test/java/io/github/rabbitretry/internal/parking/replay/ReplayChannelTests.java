/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.topology.ReplayHeaders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReplayChannelTests {

	private static final Duration AT_ONCE = Duration.ZERO;

	private final AtomicLong counted = new AtomicLong();

	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	private final AtomicBoolean aborted = new AtomicBoolean();

	private ReplayChannel channel;

	@BeforeEach
	void open() throws IOException {
		this.channel = ReplayChannel.on(fake(Connection.class), fake(Channel.class));
	}

	private <T> T fake(Class<T> type) {
		return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "isOpen" -> true;
					case "getNextPublishSeqNo" -> this.counted.get() + 1;
					case "basicPublish" -> {
						// as the client does: it counts, then encodes
						this.counted.incrementAndGet();
						Throwable thrown = this.failure.getAndSet(null);
						if (thrown != null) {
							throw thrown;
						}
						yield null;
					}
					case "abort" -> {
						this.aborted.set(true);
						yield null;
					}
					default -> null;
				}));
	}

	private static ClaimedItem item(long number) {
		return new ClaimedItem(number, 100 + number);
	}

	private boolean publish(long number) {
		return this.channel.publish(item(number),
				new OutboundMessage("ring", "order", properties(number), new byte[0]));
	}

	private static BasicProperties properties(long number) {
		return new BasicProperties.Builder().headers(Map.of(ReplayHeaders.REPLAY_ITEM, 100 + number)).build();
	}

	@Test
	void afterAnErrorWhilePublishingTheChannelIsGivenUpAndNothingCountsAsConfirmedThatWasNot() {
		publish(1);
		this.failure.set(new OutOfMemoryError("in encoding"));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> publish(2));
		assertThat(this.channel.usable()).isFalse();
		assertThat(publish(3)).as("published on a channel whose counts differ").isFalse();
		this.channel.handleAck(1, false);
		BatchResult result = this.channel.take();
		assertThat(result.published()).containsExactly(item(1));
		assertThat(result.unknown()).containsExactly(item(2));
		// what the broker counts as its second is not ours
		this.channel.handleAck(2, false);
		assertThat(this.channel.take().published()).isEmpty();
	}

	@Test
	void whatTheClientCanNotEncodeWasNotSent() {
		this.failure.set(new IllegalArgumentException("Short string too long"));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> publish(1));
		assertThat(this.channel.usable()).isFalse();
		assertThat(this.channel.take()).isEqualTo(BatchResult.nothing());
	}

	@Test
	void whatIsNotConfirmedInTimeIsUnknownAndTheChannelIsGivenUp() {
		publish(1);
		publish(2);
		this.channel.handleAck(1, false);
		assertThat(this.channel.await(AT_ONCE)).isFalse();
		BatchResult result = this.channel.take();
		assertThat(result.published()).containsExactly(item(1));
		assertThat(result.unknown()).containsExactly(item(2));
		assertThat(this.channel.usable()).isFalse();
		assertThat(this.channel.problem()).isEqualTo("confirms are missing on this channel");
	}

	@Test
	void whatWasRefusedIsKnownToBeUnpublished() {
		publish(1);
		publish(2);
		this.channel.handleNack(2, true);
		BatchResult result = this.channel.take();
		assertThat(result.unpublished()).containsExactly(item(1), item(2));
		assertThat(result.unknown()).isEmpty();
		assertThat(this.channel.usable()).isTrue();
	}

	@Test
	void returnsAreCounted() {
		publish(1);
		publish(1);
		publish(2);
		returned(1);
		returned(1);
		this.channel.handleAck(3, true);
		BatchResult result = this.channel.take();
		assertThat(result.returned()).containsExactly(item(1), item(1));
		assertThat(result.published()).containsExactly(item(2));
	}

	private void returned(long number) {
		this.channel.handleReturn(312, "NO_ROUTE", "ring", "order", properties(number), new byte[0]);
	}

}
