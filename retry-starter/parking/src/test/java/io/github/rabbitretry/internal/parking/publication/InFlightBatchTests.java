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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.message.ReplayHeaders;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightBatchTests {

	private static final Duration AT_ONCE = Duration.ZERO;

	private static final int FRAME = 131_072;

	private final ConfirmedPublishers publishers = new ConfirmedPublishers(
			new HandoverSettings(10, Duration.ofSeconds(30), Duration.ofSeconds(1)));

	private final ConnectionFactory connectionFactory = fake(ConnectionFactory.class, Map.of("createConnection",
			fake(org.springframework.amqp.rabbit.connection.Connection.class, Map.of("getDelegate", connection()))));

	private final ConfirmedPublisher publisher = this.publishers.open(this.connectionFactory, "replay-1",
			Duration.ofSeconds(30));

	private InFlightBatch batch = new InFlightBatch(this.publisher);

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
		return type.cast(Proxy.newProxyInstance(InFlightBatchTests.class.getClassLoader(), new Class<?>[] { type },
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

	/** One message is tried first on each channel. */
	private void begin() throws IOException {
		publish(0);
		broker().confirms.handleAck(1, false);
		assertThat(this.batch.end().published()).containsExactly(item(0));
		this.batch = new InFlightBatch(this.publisher);
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
		return this.batch.publish(item(number), new OutboundMessage("ring", "order", properties(number), new byte[0]),
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
		begin();
		publish(1);
		this.failure.set(new OutOfMemoryError("in encoding"));
		publish(2);
		assertThat(this.batch.channelFailed()).isNotNull();
		FakeBroker spoilt = this.channels.get(0);
		BatchResult result = this.batch.end();
		assertThat(result.published()).isEmpty();
		assertThat(result.unknown()).containsExactlyInAnyOrder(item(1), item(2));
		this.batch = new InFlightBatch(this.publisher);
		publish(3);
		assertThat(spoilt.published).as("published on a channel whose counts differ").hasValue(3);
		// what the broker counts as its third is not ours
		spoilt.confirms.handleAck(3, true);
		assertThat(this.batch.end().published()).isEmpty();
	}

	@Test
	void whatTheClientCanNotEncodeIsNotSent() {
		publish(1);
		BasicProperties endless = new BasicProperties.Builder().messageId("\u20ac".repeat(100)).build();
		assertThat(this.batch.publish(item(2), new OutboundMessage("ring", "order", endless, new byte[0]), FRAME))
			.isPresent();
		assertThat(sent()).isEqualTo(1);
		assertThat(this.batch.channelFailed()).isNull();
		assertThat(this.batch.end().unknown()).containsExactly(item(1));
	}

	@Test
	void whatIsNotConfirmedInTimeIsUnknownAndTheChannelIsGivenUp() throws IOException {
		begin();
		publish(1);
		publish(2);
		broker().confirms.handleAck(2, false);
		assertThat(this.batch.await(InFlightBatch.NOTHING, AT_ONCE)).isFalse();
		BatchResult result = this.batch.end();
		assertThat(result.published()).containsExactly(item(1));
		assertThat(result.unknown()).containsExactly(item(2));
		assertThat(this.batch.channelFailed()).isEqualTo("confirms are missing on this channel");
		Awaitility.await().until(() -> !this.channels.get(0).open);
	}

	@Test
	void whatWasRefusedIsKnownToBeUnpublished() throws IOException {
		begin();
		publish(1);
		publish(2);
		broker().confirms.handleNack(3, true);
		assertThat(this.batch.await(InFlightBatch.NOTHING, AT_ONCE)).isTrue();
		BatchResult result = this.batch.end();
		assertThat(result.unpublished()).containsExactly(item(1), item(2));
		assertThat(result.unknown()).isEmpty();
		assertThat(this.batch.channelFailed()).isNull();
	}

	@Test
	void returnsAreCounted() throws IOException {
		begin();
		publish(1);
		publish(1);
		publish(2);
		returned(1);
		returned(1);
		broker().confirms.handleAck(4, true);
		BatchResult result = this.batch.end();
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
		assertThat(this.batch.anySent()).isFalse();
		assertThat(this.batch.end().unpublished()).containsExactly(item(1));
	}

	@Test
	void theOneMessageThatTheBrokerClosesTheChannelForIsNotPublished() {
		publish(1);
		broker().close(406, "PRECONDITION_FAILED - too large");
		assertThat(this.batch.channelFailed()).as("the others need not wait").isNull();
		assertThat(this.batch.noRoute()).isFalse();
		assertThat(this.batch.end().failed())
			.containsExactly(Map.entry(item(1), "the broker refuses it: 406 PRECONDITION_FAILED - too large"));
	}

	@Test
	void ofSeveralThatWereOnAChannelThatTheBrokerClosedTheRefusedOneIsFound() throws IOException {
		begin();
		publish(1);
		publish(2);
		publish(3);
		broker().close(406, "PRECONDITION_FAILED - too large");
		Awaitility.await().until(() -> sent() == 4 + 1);
		broker().confirms.handleAck(1, false);
		Awaitility.await().until(() -> sent() == 4 + 2);
		broker().close(406, "PRECONDITION_FAILED - too large");
		Awaitility.await().until(() -> sent() == 4 + 3);
		broker().confirms.handleAck(1, false);
		assertThat(this.batch.await(InFlightBatch.NOTHING, AT_ONCE)).isTrue();
		BatchResult result = this.batch.end();
		assertThat(result.published()).hasSize(2);
		assertThat(result.failed()).hasSize(1);
		assertThat(result.complete()).isTrue();
	}

	@Test
	void whatIsNotAnsweredWhenItIsIsolatedIsUnknown() throws IOException {
		begin();
		publish(1);
		publish(2);
		broker().close(406, "PRECONDITION_FAILED - too large");
		Awaitility.await().until(() -> sent() == 3 + 1);
		broker().confirms.handleNack(1, false);
		assertThat(this.batch.end().unknown()).as("the broker may have them since their first publication")
			.containsExactlyInAnyOrder(item(1), item(2));
	}

	@Test
	void ofSeveralThatWereOnAChannelWithoutItsExchangeNothingIsKnown() throws IOException {
		begin();
		publish(1);
		publish(2);
		broker().close(404, "NOT_FOUND - no exchange 'ring'");
		assertThat(this.batch.await(InFlightBatch.NOTHING, AT_ONCE)).isTrue();
		assertThat(this.batch.noRoute()).isTrue();
		assertThat(this.batch.end().unknown()).containsExactlyInAnyOrder(item(1), item(2));
	}

	@Test
	void withoutTheExchangeTheOneMessageIsReturned() {
		publish(1);
		broker().close(404, "NOT_FOUND - no exchange 'ring'");
		assertThat(this.batch.noRoute()).isTrue();
		assertThat(begin(2)).isEmpty();
		assertThat(this.batch.await(InFlightBatch.NOTHING, AT_ONCE)).as("the other one is not sent any more").isTrue();
		BatchResult result = this.batch.end();
		assertThat(result.returned()).containsExactly(item(1));
		assertThat(result.unpublished()).containsExactly(item(2));
	}

	@Test
	void noMoreBodiesAreReadWhileThoseOnTheirWayAreLarge() {
		List<Long> read = new CopyOnWriteArrayList<>();
		byte[] body = new byte[3 * 1024 * 1024];
		BatchReader reader = new BatchReader("replay-1", new OperatorAction("ops", "FIXED"),
				ReplayOptions.unthrottled(20), new MessagePolicies(List.of(TestPolicy.order().build())), (ids) -> {
					read.addAll(ids);
					return List.of(AmqpPropertiesCodec.message(ReplayCopyTests.PARKED, properties(17), body));
				});
		BatchPublisher replay = new BatchPublisher("replay-1", reader, this.connectionFactory, this.publishers,
				ReplaySettings.of(Duration.ofSeconds(30), Duration.ofDays(90), false), ReplayListener.NONE);
		BatchResult result = BatchResult.nothing();
		List<ClaimedItem> items = LongStream.range(0, 20).mapToObj((item) -> new ClaimedItem(item, 17)).toList();
		CompletableFuture<Void> published = CompletableFuture.runAsync(() -> replay.publish(items, result, () -> true));
		Awaitility.await().until(() -> sent() > 0);
		Awaitility.await().during(Duration.ofMillis(500)).until(() -> read.size() == 2 + 4);
		Awaitility.await().until(() -> {
			broker().confirms.handleAck(sent(), true);
			return published.isDone();
		});
		assertThat(result.published()).hasSize(20);
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
						Throwable thrown = InFlightBatchTests.this.failure.getAndSet(null);
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
