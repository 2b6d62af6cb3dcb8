/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.rabbitretry.handler.BatchItemsFailedException;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.github.rabbitretry.internal.invocation.ProducerBatch;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.support.postprocessor.GUnzipPostProcessor;
import org.springframework.amqp.support.postprocessor.GZipPostProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches that a producer made, of which each message is settled by itself.
 */
class ProducerBatchTests {

	private static final Map<String, Object> BATCH = Map.of("springBatchFormat", "lengthHeader4", "amqp_batchSize", 3,
			"tenant", "t");

	private final ManagedTestListener owned = new ManagedTestListener();

	/** What the listener got, each with its message id. */
	private final List<String> handled = new ArrayList<>();

	@AfterEach
	void close() {
		this.owned.close();
	}

	/** Which deduplication would take for one. */
	@Test
	void idsOfPartsDifferIfTheIdsOfTheirBatchesDifferAtTheirEnd() {
		start(TestPolicy.order().build());
		for (String end : List.of("a", "b")) {
			this.owned.deliverWithId("m".repeat(250) + end, BATCH, batch("a", "b"));
		}
		assertThat(this.handled).hasSize(4).doesNotHaveDuplicates();
		assertThat(this.handled).allSatisfy((line) -> assertThat(line.length()).isLessThanOrEqualTo(257));
	}

	@Test
	void isAcknowledgedOnceWhenAllItsMessagesAreHandled() {
		start(TestPolicy.order().build()).deliver(BATCH, batch("a", "b", "c"));
		assertThat(this.handled).containsExactly("m-1 a", "m-1#1 b", "m-1#2 c");
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 3));
	}

	@Test
	void aMessageOfItThatFailsIsRetriedAlone() {
		start(TestPolicy.order().build()).deliver(BATCH, batch("a", "fail", "c"));
		assertThat(this.handled).containsExactly("m-1 a", "m-1#1 fail", "m-1#2 c");
		assertThat(this.owned.channel().published()).singleElement().satisfies((copy) -> {
			assertThat(copy.routingKey()).isEqualTo("order.retry.1s");
			assertThat(copy.body()).asString().isEqualTo("fail");
			assertThat(copy.properties().getMessageId()).isEqualTo("m-1#1");
			assertThat(copy.headers()).doesNotContainKeys("springBatchFormat", "amqp_batchSize")
				.containsKey("tenant")
				.containsEntry("x-app-origin-message-id", "m-1#1");
		});
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 3, "acknowledged", 2, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	@Test
	void eachOfItsMessagesHasItsLocalAttemptsAndItsContext() {
		List<Integer> attempts = new ArrayList<>();
		this.owned.start(TestPolicy.order().localAttempts(2).build(), (message) -> {
			attempts.add(RetryContext.current().orElseThrow().localAttempt());
			handle(message);
		}).deliver(BATCH, batch("fail", "b"));
		assertThat(this.handled).containsExactly("m-1 fail", "m-1 fail", "m-1#1 b");
		assertThat(attempts).containsExactly(0, 1, 0);
	}

	@Test
	void ifAllFailEachHasACopyAndTheBatchIsAcknowledgedOnce() {
		start(TestPolicy.order().brokerAttempts(0).build()).deliver(BATCH, batch("fail", "fail", "fail"));
		assertThat(this.owned.channel().published()).extracting((copy) -> copy.properties().getMessageId())
			.containsExactlyInAnyOrder("m-1", "m-1#1", "m-1#2");
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "parked RETRY_BUDGET_EXHAUSTED", 3));
	}

	@Test
	void whatItSaysOfItsPastHoldsForEachOfItsMessages() {
		Map<String, Object> headers = new HashMap<>(BATCH);
		headers.put("x-app-retry-attempt", 1);
		headers.put("x-app-first-failure-at", "2026-07-01T10:59:00Z");
		start(TestPolicy.order().build()).deliver(headers, batch("a", "b"));
		assertThat(this.handled).isEmpty();
		assertThat(this.owned.channel().published()).hasSize(2)
			.allSatisfy((copy) -> assertThat(copy.headers()).doesNotContainKey("springBatchFormat"));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 2, "parked RETRY_AGE_EXCEEDED", 2));
	}

	/** Its delivery can't be returned without the others. */
	@Test
	void aMessageOfItThatIsGivenBackIsRetriedInstead() {
		this.owned.start(TestPolicy.order().build(), (message) -> {
			handle(message);
			if (text(message).equals("back")) {
				throw ReturnMessageException.toQueue();
			}
		}).deliver(BATCH, batch("a", "back", "c"));
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "acknowledged", 2, "retried RETURNED", 1));
	}

	@Test
	void ifOneCanNotBeSettledTheRestIsNotHandled() {
		start(TestPolicy.order().build()).deliver(BATCH, batch("fail"));
		this.owned.channel().breakPublishing();
		this.owned.deliver(BATCH, batch("a", "fail", "c"));
		assertThat(this.handled).containsExactly("m-1 fail", "m-1 a", "m-1#1 fail");
		assertThat(this.owned.channel().settled()).containsExactly("ack", "nack requeue");
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 4, "acknowledged", 1, "retried DOWNSTREAM_TIMEOUT", 1, "returned", 2));
	}

	@Test
	void isGivenToAListenerOfBatchesAsOne() {
		this.owned.startBatches(TestPolicy.order().build(), (messages) -> {
			BatchItemsFailedException failed = new BatchItemsFailedException();
			for (Message message : messages) {
				this.handled.add(text(message));
			}
			failed.add(1, new SocketTimeoutException("read")).throwIfAny();
		}).deliver(BATCH, batch("a", "b", "c"));
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.handled).containsExactly("a", "b", "c");
		assertThat(this.owned.channel().published()).singleElement()
			.satisfies((copy) -> assertThat(copy.body()).asString().isEqualTo("b"));
		assertThat(this.owned.channel().settled()).containsExactly("ack");
	}

	@Test
	void batchesThatAreGatheredAreOneListOfMessages() {
		this.owned.startBatches(TestPolicy.order().build(), (messages) -> {
			messages.forEach((message) -> this.handled.add(text(message)));
			if (this.handled.size() < 5) {
				throw new IllegalStateException();
			}
		});
		this.owned.deliverTogether(List.of(BATCH, Map.of()), List.of(batch("a", "b", "c"), "d".getBytes()));
		assertThat(this.handled).containsExactly("a", "b", "c", "d", "a", "b", "c", "d");
		assertThat(this.owned.channel().acknowledged()).containsExactlyInAnyOrder(1L, 2L);
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 4, "acknowledged", 4));
	}

	@Test
	void aCopyOfACompressedOneIsNoLongerCompressed() {
		this.owned.setAfterReceivePostProcessors(new GUnzipPostProcessor());
		byte[] zipped = new GZipPostProcessor(true).postProcessMessage(new Message(batch("a", "fail"))).getBody();
		Map<String, Object> headers = new HashMap<>(BATCH);
		headers.put("springAutoDecompress", true);
		start(TestPolicy.order().build()).deliver("gzip", headers, zipped);
		assertThat(this.handled).containsExactly("m-1 a", "m-1#1 fail");
		assertThat(this.owned.channel().published()).singleElement().satisfies((copy) -> {
			assertThat(copy.body()).asString().isEqualTo("fail");
			assertThat(copy.properties().getContentEncoding()).isNull();
			assertThat(copy.headers()).doesNotContainKey("springAutoDecompress");
		});
	}

	/** No copy of one message could be brought into the form that it expects. */
	@Test
	void behindAPostProcessorOfTheApplicationItIsRetriedAsAWhole() {
		this.owned.setAfterReceivePostProcessors((message) -> message);
		start(TestPolicy.order().build()).deliver(BATCH, batch("a", "fail"));
		assertThat(this.owned.channel().published()).singleElement().satisfies((copy) -> {
			assertThat(copy.body()).isEqualTo(batch("a", "fail"));
			assertThat(copy.headers()).containsKey("springBatchFormat");
		});
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "retried DOWNSTREAM_TIMEOUT", 1));
	}

	/** The mark that only it knows may be on each of its messages too. */
	@Test
	void ofAnotherStrategyItIsRetriedAsAWhole() {
		this.owned.setBatchingStrategy(new SimpleBatchingStrategy(1, 1, 1) {
		});
		start(TestPolicy.order().build()).deliver(BATCH, batch("a", "fail"));
		assertThat(this.handled).containsExactly("m-1 a", "m-1 fail");
		assertThat(this.owned.channel().published()).singleElement()
			.satisfies((copy) -> assertThat(copy.body()).isEqualTo(batch("a", "fail")));
	}

	/** A copy of one of its messages would not be compressed. */
	@Test
	void behindOneThatDecompressesWhateverItGetsTheSame() {
		this.owned.setAfterReceivePostProcessors(new GUnzipPostProcessor(true));
		byte[] zipped = new GZipPostProcessor(true).postProcessMessage(new Message(batch("a", "fail"))).getBody();
		start(TestPolicy.order().build()).deliver("gzip", BATCH, zipped);
		assertThat(this.handled).containsExactly("m-1 a", "m-1 fail");
		assertThat(this.owned.channel().published()).singleElement().satisfies((copy) -> {
			assertThat(copy.routingKey()).isEqualTo("order.retry.1s");
			assertThat(copy.body()).isEqualTo(zipped);
		});
	}

	/** The broker could only take all of it back, with what was handled and postponed. */
	@Test
	void anOutageInTheMiddleOfItLeavesNoneOfItsMessagesTwice() {
		this.owned.channel().brokerVersion("4.3.6");
		start(TestPolicy.order()
			.outage(new OutageSettings("gateway", Set.of("DOWNSTREAM_TIMEOUT"), 0.5, 4, Duration.ofSeconds(5),
					Duration.ofSeconds(30), 1, false))
			.build()).deliver(BATCH, batch("a", "b", "fail", "fail", "e", "f"));
		assertThat(this.handled).containsExactly("m-1 a", "m-1#1 b", "m-1#2 fail", "m-1#3 fail");
		assertThat(this.owned.channel().published()).extracting((copy) -> copy.properties().getMessageId())
			.containsExactlyInAnyOrder("m-1#2", "m-1#3", "m-1#4", "m-1#5");
		assertThat(this.owned.channel().settled()).startsWith("ack");
		assertThat(this.owned.told()).containsEntry("acknowledged", 2).containsEntry("postponed", 3);
	}

	@Test
	void eachOfItsMessagesKnowsItsOwnLength() {
		List<Long> lengths = new ArrayList<>();
		this.owned
			.start(TestPolicy.order().build(),
					(message) -> lengths.add(message.getMessageProperties().getContentLength()))
			.deliver(BATCH, batch("a", "bcd", "ef"));
		assertThat(lengths).containsExactly(1L, 3L, 2L);
	}

	@Test
	void oneOfMoreMessagesThanItMayHaveIsMalformed() {
		ManagedTestListener listener = start(TestPolicy.order().build());
		listener.deliver(BATCH, new byte[4 * ProducerBatch.MOST_MESSAGES]);
		listener.deliver(BATCH, new byte[4 * (ProducerBatch.MOST_MESSAGES + 1)]);
		assertThat(this.handled).hasSize(ProducerBatch.MOST_MESSAGES);
		assertThat(this.owned.told()).containsEntry("acknowledged", ProducerBatch.MOST_MESSAGES)
			.containsEntry("parked DESERIALIZATION_FAILED", 1);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void aMalformedOneIsParkedAsItIs(String problem, byte[] body) {
		start(TestPolicy.order().build()).deliver(BATCH, body);
		assertThat(this.handled).isEmpty();
		assertThat(this.owned.channel().published()).singleElement().satisfies((copy) -> {
			assertThat(copy.routingKey()).isEqualTo("order.parking-lot");
			assertThat(copy.body()).isEqualTo(body);
			assertThat(copy.headers()).containsEntry("x-app-retry-reason", "DESERIALIZATION_FAILED");
		});
		assertThat(this.owned.channel().settled()).containsExactly("ack");
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked DESERIALIZATION_FAILED", 1));
	}

	static Stream<Arguments> aMalformedOneIsParkedAsItIs() {
		return Stream.of(Arguments.of("a length beyond the body", new byte[] { 0, 0, 0, 9, 'a' }),
				Arguments.of("a negative length", new byte[] { -1, 0, 0, 1, 'a' }),
				Arguments.of("a length that is cut off", new byte[] { 0, 0, 0, 1, 'a', 0, 0 }),
				Arguments.of("the second of two beyond the body", new byte[] { 0, 0, 0, 1, 'a', 0, 0, 0, 2, 'b' }),
				Arguments.of("no message at all", new byte[0]));
	}

	private ManagedTestListener start(MessagePolicy policy) {
		return this.owned.start(policy, this::handle);
	}

	private void handle(Message message) throws SocketTimeoutException {
		this.handled.add(message.getMessageProperties().getMessageId() + " " + text(message));
		if (text(message).equals("fail")) {
			throw new SocketTimeoutException("read");
		}
	}

	private static String text(Message message) {
		return new String(message.getBody(), StandardCharsets.UTF_8);
	}

	private static byte[] batch(String... bodies) {
		ByteBuffer buffer = ByteBuffer.allocate(100);
		for (String body : bodies) {
			buffer.putInt(body.length()).put(body.getBytes(StandardCharsets.UTF_8));
		}
		byte[] batch = new byte[buffer.position()];
		buffer.flip().get(batch);
		return batch;
	}

}
