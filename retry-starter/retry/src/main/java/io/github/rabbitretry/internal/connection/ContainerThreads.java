/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Objects;
import java.util.concurrent.Executor;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.StringUtils;

/**
 * The threads of a listener container.
 */
final class ContainerThreads {

	private ContainerThreads() {
	}

	/**
	 * The executor that a container would use.
	 * @param container the container, not yet started
	 * @return the application's, or one that names threads as the container would when it
	 * is initialized
	 */
	static Executor of(AbstractMessageListenerContainer container) {
		boolean chosen = Boolean.TRUE
			.equals(PropertyAccessorFactory.forDirectFieldAccess(container).getPropertyValue("taskExecutorSet"));
		if (!chosen && StringUtils.hasText(container.getListenerId())) {
			return new SimpleAsyncTaskExecutor(container.getListenerId() + "-");
		}
		return Objects
			.requireNonNull(ProtectedGetter.call(AbstractMessageListenerContainer.class, "getTaskExecutor", container));
	}

}
