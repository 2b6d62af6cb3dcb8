/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.aopalliance.aop.Advice;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.RoutingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/**
 * Refuses listeners whose deliveries can't be settled by somebody else, rather than
 * leaving their messages unprotected without a word.
 */
final class ManagedListenerCheck {

	private final AbstractMessageListenerContainer container;

	private final ContainerSettings settings;

	private final ListenerDescription listener;

	ManagedListenerCheck(AbstractMessageListenerContainer container, ContainerSettings settings,
			ListenerDescription listener) {
		this.container = container;
		this.settings = settings;
		this.listener = listener;
	}

	void check(Map<String, Optional<MessagePolicy>> queues) {
		String kind = (this.container instanceof DirectMessageListenerContainer) ? "direct" : "simple";
		queues.forEach((queue, policy) -> {
			if (policy.isEmpty()) {
				throw refused(queue,
						"it listens to this queue, which has no message policy, and to others that have one",
						"Give the queue a policy under rabbit-retry.message-policies, or a listener of its own.");
			}
		});
		if (this.container.isRunning()) {
			throw refused(queues, "it was started before it could be taken over",
					"Let Spring start the container, once all singletons are there, or remove the queue's message policy.");
		}
		MessageListener messageListener = this.container.getMessageListener();
		if (messageListener == null) {
			throw refused(queues, "it has no message listener yet",
					"Set the container's message listener where the container is made, or remove the queue's message policy.");
		}
		checkResult(queues, messageListener);
		if (this.container.getAcknowledgeMode() != AcknowledgeMode.AUTO) {
			throw refused(queues, "its acknowledge mode is " + this.container.getAcknowledgeMode() + ", not AUTO",
					"Remove ackMode from the listener, or spring.rabbitmq.listener.%s.acknowledge-mode, or the queue's message policy."
						.formatted(kind));
		}
		if (this.container.isChannelTransacted() || this.settings.transactional()) {
			throw refused(queues, "its channel is transacted, so that its acknowledgement can't wait for a confirm",
					"Remove channelTransacted and the transaction manager from its container factory (a transaction in the handler is fine), or the queue's message policy.");
		}
		if (!this.container.isExposeListenerChannel()) {
			throw refused(queues,
					"its exposeListenerChannel is false, so that it does not get the channel of its deliveries",
					"Remove exposeListenerChannel from the container, or the queue's message policy.");
		}
		for (Advice advice : this.settings.advices()) {
			if (retries(advice.getClass())) {
				throw refused(queues,
						"a second retry (%s) is nested in ours and would multiply the handler's calls"
							.formatted(advice.getClass().getSimpleName()),
						"Remove spring.rabbitmq.listener.%s.retry.enabled (or the interceptor from the container factory's advice chain); local-attempts of the message policy does the same."
							.formatted(kind));
			}
		}
		NestedRetry nestedRetry = this.listener.nestedRetry();
		if (nestedRetry != null) {
			throw refused(queues,
					"a second retry (%s) around its method '%s' is nested in ours and would multiply the handler's calls"
						.formatted(nestedRetry.advice(), nestedRetry.method()),
					"Remove @Retryable from the listener (calls further inside may keep theirs; max-downstream-calls bounds them); local-attempts of the message policy does the same.");
		}
		if (this.container.getConnectionFactory() instanceof RoutingConnectionFactory) {
			throw refused(queues,
					"its connection factory routes by the calling thread, which a copy published later is not",
					"Give its container factory the one connection factory that it consumes with, or remove the queue's message policy.");
		}
		if (messageListener instanceof BatchMessageListener
				|| messageListener instanceof ChannelAwareBatchMessageListener) {
			throw refused(queues, "it receives batches, of which one message's failure can't be told",
					"Let the listener take single messages, or remove the queue's message policy.");
		}
	}

	/** Others are waited for where they are seen to be there later. */
	private void checkResult(Map<String, ?> queues, MessageListener messageListener) {
		if (messageListener.isAsyncReplies()) {
			// before the acknowledge mode: Spring AMQP makes it MANUAL for these
			throw refused(queues,
					"it returns a future or a reactive type, whose failure comes after the listener's return",
					"Let the listener method return its result itself, or remove the queue's message policy.");
		}
		AdaptedDelegate.returningLater(messageListener).ifPresent((method) -> {
			throw refused(queues,
					"its MessageListenerAdapter calls %s#%s, whose return type %s may be a future, and would acknowledge the message a second time"
						.formatted(method.getDeclaringClass().getSimpleName(), method.getName(),
								method.getReturnType().getSimpleName()),
					"Let the method return void or the type of its result, or make it a @RabbitListener, or remove the queue's message policy.");
		});
	}

	private static boolean retries(Class<?> type) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (current.getSimpleName().endsWith("RetryOperationsInterceptor")) {
				return true;
			}
		}
		return false;
	}

	private UnsupportedListenerException refused(Map<String, ?> queues, String problem, String remedy) {
		return refused(String.join("', '", queues.keySet()), problem, remedy);
	}

	private UnsupportedListenerException refused(String queue, String problem, String remedy) {
		return new UnsupportedListenerException(this.listener.name(), queue, problem, remedy);
	}

}
