/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Without a broker.
 */
class DeadLetterContainerTests {

	private static final String QUEUE = "order.dlq";

	private final FakeQueues queues = new FakeQueues();

	@Test
	void aQueueIsLeftAloneForItsTimeAgainIfTheBrokerIsAwayAtItsEnd() {
		this.queues.brokerAway();
		ConnectionFactory connections = this.queues.factory();
		try (Watchdog watchdog = new Watchdog()) {
			SingleMessageConsumer oneByOne = new SingleMessageConsumer(connections,
					new UnroutableQueueDeclarer(TopologyMode.NONE), Map.of(QUEUE, TestPolicy.order().build()),
					(message, channel) -> {
						throw new AssertionError("nothing is received");
					}, (policy) -> {
					}, () -> false);
			DeadLetterContainer container = new DeadLetterContainer(connections, List.of(QUEUE),
					new FormerDeadLetters(connections, List.of()), (message, channel) -> {
					}, oneByOne, Duration.ZERO, watchdog);
			ReflectionTestUtils.setField(container, "leftAlone", Set.of(QUEUE));
			ReflectionTestUtils.setField(container, "leftAloneUntil", System.nanoTime());
			assertThatExceptionOfType(AmqpConnectException.class)
				.isThrownBy(() -> ReflectionTestUtils.invokeMethod(container, "receiveOneByOne"));
			assertThat(container.leftAlone()).containsExactly(QUEUE);
			assertThat((Long) ReflectionTestUtils.getField(container, "leftAloneUntil"))
				.isGreaterThan(System.nanoTime() + Duration.ofMinutes(9).toNanos());
		}
	}

}
