/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.Collection;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.BeansException;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class ContainerStartTests {

	/** It has no connection factory, so that nothing else comes of it. */
	@Test
	void aDirectContainerForgetsConsumersThatItMeantToStartAgain() {
		DirectMessageListenerContainer container = new DirectMessageListenerContainer();
		Collection<Object> consumers = oneToRestart(container);
		assertThatException().isThrownBy(() -> ContainerStart.startOrStop(container, () -> false));
		assertThat(consumers).isEmpty();
	}

	@Test
	void aSimpleContainerHasNone() {
		assertThatException()
			.isThrownBy(() -> ContainerStart.startOrStop(new SimpleMessageListenerContainer(), () -> false))
			.isNotInstanceOf(BeansException.class);
	}

	@SuppressWarnings("unchecked")
	private static Collection<Object> oneToRestart(DirectMessageListenerContainer container) {
		Collection<Object> consumers = (Collection<Object>) ReflectionTestUtils.getField(container,
				"consumersToRestart");
		assertThat(consumers).isNotNull();
		consumers.add("any");
		return consumers;
	}

}
