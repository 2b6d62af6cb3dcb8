/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;

class ConsumerWidthTests {

	@Test
	void aSimpleContainerTakesOneMessageAtATimeAndThenAsManyAsBefore() {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setConcurrentConsumers(3);
		container.setMaxConcurrentConsumers(7);
		container.setPrefetchCount(40);
		ConsumerWidth own = ConsumerWidth.of(container);
		assertThat(own).isEqualTo(new ConsumerWidth(3, 7, 40));
		own.single(1).apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(new ConsumerWidth(1, 1, 1));
		own.apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(own);
	}

	@Test
	void aSimpleContainerThatDoesNotGrowDoesNotLearnTo() {
		SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
		container.setConcurrentConsumers(3);
		ConsumerWidth own = ConsumerWidth.of(container);
		own.single(1).apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(new ConsumerWidth(1, null, 1));
		own.apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(own);
	}

	@Test
	void aContainerPrefetchesNoMoreThanItsPrefetchCountSays() {
		SimpleMessageListenerContainer simple = new SimpleMessageListenerContainer();
		simple.setBatchSize(50);
		ConsumerWidth.prefetchOnly(simple, true);
		assertThat(simple).extracting("batchSize").isEqualTo(50);
		ConsumerWidth.prefetchOnly(simple, false);
		assertThat(simple).extracting("batchSize").isEqualTo(1);
		DirectMessageListenerContainer direct = new DirectMessageListenerContainer();
		direct.setMessagesPerAck(50);
		ConsumerWidth.prefetchOnly(direct, false);
		assertThat(direct).extracting("messagesPerAck").isEqualTo(0);
	}

	@Test
	void aDirectContainerTakesOneMessageAtATimeAndThenAsManyAsBefore() {
		DirectMessageListenerContainer container = new DirectMessageListenerContainer();
		container.setConsumersPerQueue(4);
		ConsumerWidth own = ConsumerWidth.of(container);
		own.single(1).apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(new ConsumerWidth(1, null, 1));
		own.apply(container);
		assertThat(ConsumerWidth.of(container)).isEqualTo(own).isEqualTo(new ConsumerWidth(4, null, 250));
	}

}
