/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.internal.invocation.ContainerSettings;
import org.aopalliance.aop.Advice;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.support.ListenerContainerAware;

/**
 * The listeners without a message policy, in an application that has policies: one that
 * was forgotten, or has lost its retry, may call its handler without end.
 */
final class ListenersWithoutPolicy {

	private static final Log logger = LogFactory.getLog(ListenersWithoutPolicy.class);

	/** Those that would lose it with Spring Boot's. */
	private final List<String> retried = new CopyOnWriteArrayList<>();

	/**
	 * Adds a listener, and warns if what it fails with is requeued.
	 * @param listener how to name it
	 * @param container its container, as configured
	 */
	void add(String listener, AbstractMessageListenerContainer container) {
		MessageListener messageListener = container.getMessageListener();
		if (container.getAcknowledgeMode() != AcknowledgeMode.AUTO || container.getQueueNames().length == 0
				|| messageListener instanceof ListenerContainerAware) {
			// it settles itself, or receives replies
			return;
		}
		String name = "'%s' on queue '%s'".formatted(listener, String.join("', '", container.getQueueNames()));
		Advice[] advices = ContainerSettings.require(container, "getAdviceChain");
		if (Arrays.stream(advices).anyMatch((advice) -> ManagedListenerCheck.retries(advice.getClass()))) {
			this.retried.add(name);
		}
		else if (ContainerSettings.<Boolean>require(container, "isDefaultRequeueRejected")) {
			logger
				.warn(("Listener %s has no message policy: RabbitMQ redelivers what it fails with at once and for ever "
						+ "(a quorum queue: up to its delivery limit). Give the queue a message policy, or the listener a "
						+ "container factory with its own retry advice or with defaultRequeueRejected=false")
					.formatted(name));
		}
		else {
			logger.info(("Listener %s has no message policy: what it fails with is rejected, and lost unless the queue "
					+ "has a dead-letter exchange")
				.formatted(name));
		}
	}

	/**
	 * What to add to the remedy for a second retry.
	 * @return a sentence that names the listeners, or an empty text if there are none
	 */
	String losingTheirRetry() {
		return this.retried.isEmpty() ? ""
				: " Listeners without a message policy may lose their retry with it, and RabbitMQ then redelivers what they fail with at once and for ever: %s. Give their queues message policies, too, or keep the retry in a container factory of theirs."
					.formatted(String.join(", ", this.retried));
	}

}
