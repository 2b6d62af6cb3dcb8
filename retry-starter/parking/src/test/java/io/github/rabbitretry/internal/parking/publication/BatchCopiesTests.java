/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class BatchCopiesTests {

	private static final Duration AT_ONCE = Duration.ZERO;

	private static final int FRAME = 131_072;

	private final ConfirmedPublishers publishers = new ConfirmedPublishers(
			new HandoverSettings(10, Duration.ofSeconds(30), Duration.ofSeconds(1)));

	private final BatchCopies copies = new BatchCopies(
			this.publishers.open(
					fake(ConnectionFactory.class,
							Map.of("createConnection",
									fake(org.springframework.amqp.rabbit.connection.Connection.class,
											Map.of("getDelegate", connection())))),
					"replay-1", Duration.ofSeconds(30)));

	private final List<FakeBroker> channels = new CopyOnWriteArrayList<>();

	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	@AfterEach
	void close() {
		this.publishers.close();
	}

	private Connection connection() {
		return fake(Connection.class, Map.of("isOpen", true, "getFrameMax", FRAME), () -> {
			FakeBroker channel = new FakeBroker();
			this.channels.add(channel);
			return channel.channel;
		});
	}

	private static <T> T fake(Class<T> type, Map<String, Object> answers) {
		return fake(type, answers, () -> null);
	}

	private static <T> T fake(Class<T> type, Map<String, Object> answers, Supplier<@Nullable Object> channels) {
		return type.cast(Proxy.newProxyInstance(BatchCopiesTests.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "hashCode" -> System.identityHashCode(proxy);
					case "equals" -> proxy == Objects.requireNonNull(arguments)[0];
					case "createChannel" -> channels.get();
					default -> answers.get(method.getName());
				}));
	}

	private static ClaimedItem item(long number) {
		return new ClaimedItem(number, 100 + number);
	}

	/** Publishes and waits until it is sent. */
	private void publish(long number) {
		int before = sent();
		assertThat(begin(number)).isEmpty();
		Awaitility.await().until(() -> sent() > before);
	}

	private int sent() {
		return this.channels.stream().mapToInt((channel) -> channel.published.get()).sum();
	}

	private Optional<String> begin(long number) {
		return this.copies.publish(item(number), new OutboundMessage("ring", "order", properties(number), new byte[0]),
				FRAME);
	}

	private static BasicProperties properties(long number) {
		return new BasicProperties.Builder().headers(Map.of(ReplayHeaders.REPLAY_ITEM, 100 + number)).build();
	}

	private FakeBroker broker() {
		return this.channels.get(this.channels.size() - 1);
	}

	@Test
	void afterAnErrorNothingCountsAsConfirmedThatWasNot() throws IOException {
		publish(1);
		this.failure.set(new OutOfMemoryError("in encoding"));
		publish(2);
		assertThat(this.copies.trouble()).isNotNull();
		FakeBroker spoilt = this.channels.get(0);
		BatchResult result = this.copies.take();
		assertThat(result.published()).isEmpty();
		assertThat(result.unknown()).containsExactlyInAnyOrder(item(1), item(2));
		publish(3);
		assertThat(spoilt.published).as("published on a channel whose counts differ").hasValue(2);
		// what the broker counts as its second is not ours
		spoilt.confirms.handleAck(2, true);
		assertThat(this.copies.take().published()).isEmpty();
	}

	@Test
	void whatTheClientCanNotEncodeIsNotSent() {
		publish(1);
		BasicProperties endless = new BasicProperties.Builder().messageId("\u20ac".repeat(100)).build();
		assertThat(this.copies.publish(item(2), new OutboundMessage("ring", "order", endless, new byte[0]), FRAME))
			.isPresent();
		assertThat(sent()).isEqualTo(1);
		assertThat(this.copies.trouble()).isNull();
		assertThat(this.copies.take().unknown()).containsExactly(item(1));
	}

	@Test
	void whatIsNotConfirmedInTimeIsUnknownAndTheChannelIsGivenUp() throws IOException {
		publish(1);
		publish(2);
		broker().confirms.handleAck(1, false);
		assertThat(this.copies.await(AT_ONCE)).isFalse();
		BatchResult result = this.copies.take();
		assertThat(result.published()).containsExactly(item(1));
		assertThat(result.unknown()).containsExactly(item(2));
		assertThat(this.copies.trouble()).isEqualTo("confirms are missing on this channel");
		Awaitility.await().until(() -> !this.channels.get(0).open);
	}

	@Test
	void whatWasRefusedIsKnownToBeUnpublished() throws IOException {
		publish(1);
		publish(2);
		broker().confirms.handleNack(2, true);
		assertThat(this.copies.await(AT_ONCE)).isTrue();
		BatchResult result = this.copies.take();
		assertThat(result.unpublished()).containsExactly(item(1), item(2));
		assertThat(result.unknown()).isEmpty();
		assertThat(this.copies.trouble()).isNull();
	}

	@Test
	void returnsAreCounted() throws IOException {
		publish(1);
		publish(1);
		publish(2);
		returned(1);
		returned(1);
		broker().confirms.handleAck(3, true);
		BatchResult result = this.copies.take();
		assertThat(result.returned()).containsExactly(item(1), item(1));
		assertThat(result.published()).containsExactly(item(2));
	}

	private void returned(long number) throws IOException {
		broker().returns.handleReturn(312, "NO_ROUTE", "ring", "order", properties(number), new byte[0]);
	}

	@Test
	void whatWasNeverSentIsUnpublished() {
		this.publishers.close();
		assertThat(begin(1)).isEmpty();
		assertThat(this.copies.anySent()).isFalse();
		assertThat(this.copies.take().unpublished()).containsExactly(item(1));
	}

	@Test
	void theOneMessageThatTheBrokerClosesTheChannelForIsNotPublished() {
		publish(1);
		broker().close(406, "PRECONDITION_FAILED - too large");
		assertThat(this.copies.closedByBroker()).isTrue();
		assertThat(this.copies.noRoute()).isFalse();
		assertThat(this.copies.take().failed())
			.containsExactly(Map.entry(item(1), "the broker refuses it: 406 PRECONDITION_FAILED - too large"));
	}

	@Test
	void ofSeveralThatWereOnAChannelThatTheBrokerClosedNothingIsKnown() {
		publish(1);
		publish(2);
		broker().close(406, "PRECONDITION_FAILED - too large");
		assertThat(this.copies.take().unknown()).containsExactly(item(1), item(2));
	}

	@Test
	void withoutTheExchangeTheOneMessageIsReturned() {
		publish(1);
		broker().close(404, "NOT_FOUND - no exchange 'ring'");
		assertThat(this.copies.noRoute()).isTrue();
		assertThat(this.copies.take().returned()).containsExactly(item(1));
	}

	/** A channel whose broker is the test. */
	private final class FakeBroker {

		private final AtomicInteger published = new AtomicInteger();

		private volatile boolean open = true;

		private ConfirmListener confirms;

		private ReturnListener returns;

		private ShutdownListener shutdowns;

		private final Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Channel.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "isOpen" -> this.open;
					case "addConfirmListener" -> {
						this.confirms = (ConfirmListener) arguments[0];
						yield null;
					}
					case "addReturnListener" -> {
						this.returns = (ReturnListener) arguments[0];
						yield null;
					}
					case "addShutdownListener" -> {
						this.shutdowns = (ShutdownListener) arguments[0];
						yield null;
					}
					case "getNextPublishSeqNo" -> this.published.get() + 1L;
					case "basicPublish" -> {
						// as the client does: it counts, then encodes
						this.published.incrementAndGet();
						Throwable thrown = BatchCopiesTests.this.failure.getAndSet(null);
						if (thrown != null) {
							throw thrown;
						}
						yield null;
					}
					case "abort" -> {
						this.open = false;
						yield null;
					}
					default -> null;
				});

		void close(int code, String text) {
			this.open = false;
			this.shutdowns.shutdownCompleted(new ShutdownSignalException(false, false,
					new AMQP.Channel.Close.Builder().replyCode(code).replyText(text).classId(60).methodId(40).build(),
					this.channel));
		}

	}

}
