/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * How many deliveries may end connections before a queue is left alone, and what comes of
 * the others.
 */
class SingleMessageConsumerTests {

	private static final String QUEUE = "order.dlq";

	private static final String OTHER = "invoice.dlq";

	private final FakeQueues queues = new FakeQueues();

	private final List<String> received = new ArrayList<>();

	private final List<String> undeliverable = new ArrayList<>();

	private Consumer<String> listener = this.received::add;

	@ParameterizedTest
	@CsvSource({ "QUORUM, 0, 1", "QUORUM, 1, 1", "QUORUM, 8, 8", "QUORUM, 1000000, 50", "CLASSIC, 1000, 1" })
	void messagesThatEndConnectionsByTurnsHaveTheDeliveriesOfAllWhereTheyAreCounted(QueueType type, long waiting,
			int turns) {
		MessageTopology topology = TestPolicy.order().queueType(type).build().topology();
		assertThat(SingleMessageConsumer.mostInVain(topology, waiting))
			.isEqualTo(turns * (topology.deadLetterDeliveries() + 10));
	}

	@Test
	void aQueueWithoutAMajorityDoesNotKeepTheNextFromBeingEmptied() {
		this.queues.unavailable(QUEUE);
		this.queues.put(OTHER, "good");
		assertThat(empty(QueueType.QUORUM, QUEUE, OTHER)).isEmpty();
		assertThat(this.received).containsExactly("good");
		assertThat(this.queues.openChannels()).isZero();
	}

	@Test
	void aQueueThatIsFilledAsFastAsItIsEmptiedDoesNotKeepTheNextFromBeingEmptied() {
		this.queues.put(QUEUE, "good");
		this.queues.put(OTHER, "other");
		this.listener = (body) -> {
			this.received.add(body);
			if (body.equals("good")) {
				this.queues.put(QUEUE, "good");
			}
		};
		assertThat(empty(QueueType.QUORUM, QUEUE, OTHER)).isEmpty();
		assertThat(this.received).hasSizeLessThan(2000).endsWith("other");
	}

	@Test
	void whatAListenerThrowsLeavesNoChannelOpen() {
		this.queues.put(QUEUE, "good");
		this.listener = (any) -> {
			throw new IllegalStateException("a test");
		};
		assertThatIllegalStateException().isThrownBy(() -> empty(QueueType.QUORUM, QUEUE));
		assertThat(this.queues.openChannels()).isZero();
	}

	@Test
	void aQueueIsLeftAloneForWhatEndsConnectionsSinceAMessageWasMovedAndThatOneIsReported() {
		int most = (int) SingleMessageConsumer.mostInVain(policy("Order", QueueType.QUORUM).topology(), 1);
		this.queues.unreadable(QUEUE, (delivery) -> {
			if (delivery == most - 1) {
				this.queues.put(DelayLadder.UNROUTABLE, "moved");
			}
		});
		assertThat(empty(QueueType.QUORUM, QUEUE)).containsExactly(QUEUE);
		assertThat(this.queues.unreadableDeliveries()).isEqualTo(2 * most - 1);
		assertThat(this.undeliverable).containsExactly("Order");
	}

	@Test
	void whatComesFromElsewhereWasNotMovedFromAClassicQueue() {
		this.queues.unreadable(QUEUE, (delivery) -> {
			this.queues.put(DelayLadder.UNROUTABLE, "moved from elsewhere");
			this.queues.readable(QUEUE);
		});
		assertThat(empty(QueueType.CLASSIC, QUEUE)).isEmpty();
		assertThat(this.undeliverable).isEmpty();
	}

	private Set<String> empty(QueueType type, String... queues) {
		return new SingleMessageConsumer(this.queues.factory(), new UnroutableQueueDeclarer(TopologyMode.NONE),
				Map.of(QUEUE, policy("Order", type), OTHER, policy("Invoice", type)), this::receive,
				(policy) -> this.undeliverable.add(policy.messageType()), () -> false)
			.empty(new LinkedHashSet<>(List.of(queues)));
	}

	private static MessagePolicy policy(String messageType, QueueType type) {
		return TestPolicy.named(messageType).queue(messageType.toLowerCase()).queueType(type).build();
	}

	private Acknowledgement receive(Message message, Channel channel) {
		this.listener.accept(new String(message.getBody()));
		return new Acknowledgement(channel, message.getMessageProperties().getDeliveryTag());
	}

}
