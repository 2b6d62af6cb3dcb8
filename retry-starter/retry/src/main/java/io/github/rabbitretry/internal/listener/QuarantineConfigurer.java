/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Makes of a listener's container one of its quarantine queue: a single consumer with a
 * single message, whatever the listener's own concurrency and prefetch.
 */
final class QuarantineConfigurer {

	private QuarantineConfigurer() {
	}

	static void configure(AbstractMessageListenerContainer container, String queue) {
		container.setQueueNames(queue);
		container.setPrefetchCount(1);
		container.setListenerId(container.getListenerId() + ".quarantine");
		// the listener's own may have just as many threads as its own container needs
		container.setTaskExecutor(new SimpleAsyncTaskExecutor(container.getListenerId() + "-"));
		container.setIdleEventInterval(0);
		// it is started later, beside a container that has checked what there is to check
		container.setMissingQueuesFatal(false);
		container.setMismatchedQueuesFatal(false);
		if (container instanceof SimpleMessageListenerContainer simple) {
			simple.setConcurrentConsumers(1);
			simple.setMaxConcurrentConsumers(1);
			simple.setBatchSize(1);
		}
		else if (container instanceof DirectMessageListenerContainer direct) {
			direct.setConsumersPerQueue(1);
		}
	}

}
