/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.container.ConsumerWidth;
import io.github.rabbitretry.internal.container.UnsupportedListenerException;
import io.github.rabbitretry.internal.invocation.AsyncResult;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.aopalliance.aop.Advice;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.RoutingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/**
 * Refuses listeners whose deliveries can't be settled by other code, rather than leaving
 * their messages unprotected without a word.
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

	/**
	 * Checks.
	 * @param policies those of the listener's queues that have a policy
	 */
	void check(Map<String, MessagePolicy> policies) {
		Collection<String> queues = policies.keySet();
		String kind = (this.container instanceof DirectMessageListenerContainer) ? "direct" : "simple";
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
		if (this.container.getAcknowledgeMode() != AcknowledgeMode.AUTO && !(messageListener.isAsyncReplies()
				&& this.container.getAcknowledgeMode() == AcknowledgeMode.MANUAL)) {
			throw refused(queues, "its acknowledge mode is " + this.container.getAcknowledgeMode() + ", not AUTO",
					"Remove ackMode from the listener, or spring.rabbitmq.listener.%s.acknowledge-mode, and the acknowledgements in its methods; or remove the queue's message policy."
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
				throw UnsupportedListenerException.ofContainerRetry(this.listener.name(), String.join("', '", queues),
						"a second retry (%s) is nested in ours and would multiply the handler's calls"
							.formatted(advice.getClass().getSimpleName()),
						"Remove spring.rabbitmq.listener.%s.retry.enabled (or the interceptor from the container factory's advice chain); local-attempts of the message policy does the same."
							.formatted(kind));
			}
		}
		HandlerAdvice nestedRetry = HandlerAdvice.repeating(this.listener.handler());
		if (nestedRetry != null) {
			throw refused(queues,
					"a second retry (%s) around its method '%s' is nested in ours and would multiply the handler's calls"
						.formatted(nestedRetry.advice(), nestedRetry.method()),
					"Remove @Retryable from the listener (calls further inside may keep theirs; max-downstream-calls bounds them); local-attempts of the message policy does the same.");
		}
		HandlerAdvice async = HandlerAdvice.detaching(this.listener.handler());
		if (async != null) {
			throw refused(queues,
					"its method '%s' is @Async, so that its message would be acknowledged before it is handled"
						.formatted(async.method()),
					"Remove @Async (concurrency of the listener does the same), or let the method return a CompletableFuture, which is waited for.");
		}
		if (this.container.getConnectionFactory() instanceof RoutingConnectionFactory) {
			throw refused(queues,
					"its connection factory routes by the calling thread, which a copy published later is not",
					"Give its container factory the one connection factory that it consumes with, or remove the queue's message policy.");
		}
		if (this.settings.listensToBatches()) {
			checkBatches(policies);
		}
		if (policies.values().stream().anyMatch((policy) -> policy.ordering() != null)) {
			checkOrdering(queues);
		}
	}

	/** The broker has to get all that is held back at once, in order. */
	private void checkOrdering(Collection<String> queues) {
		if (this.settings.listensToBatches()) {
			throw refused(queues,
					"it receives batches, and its message policy keeps single messages in order (ordering)",
					"Let the listener take single messages, or set ordering of the message policy to none.");
		}
		if (this.container.getQueueNames().length > 1) {
			throw refused(queues,
					"it listens to several queues, and the message policy of one of them keeps its messages in order (ordering)",
					"Let each queue have a listener of its own, or set ordering of the message policy to none.");
		}
		if (ConsumerWidth.of(this.container).prefetch() < 1) {
			throw refused(queues,
					"its prefetch is 0, which is no bound, and its message policy holds messages to keep them in order (ordering)",
					"Set its prefetch, or spring.rabbitmq.listener.simple.prefetch and direct.prefetch, to 1 or more, the same in all instances.");
		}
	}

	/** One message of several can't have all that a single one can. */
	private void checkBatches(Map<String, MessagePolicy> policies) {
		policies.forEach((queue, policy) -> {
			Budget budget = policy.budget();
			if (budget.maxDownstreamCalls() != null || budget.maxCost() != null) {
				throw refused(List.of(queue),
						"it receives batches, and the cost of one message of a batch, which max-downstream-calls or max-cost of its message policy limits, cannot be determined",
						"Let the listener take single messages, or remove max-downstream-calls and max-cost from the message policy.");
			}
			if (budget.handlerTime() != null) {
				throw refused(List.of(queue), "it receives batches, and handler-timeout is the time of one message",
						"Let the listener take single messages, or remove handler-timeout from the message policy.");
			}
			if (policy.outage() != null) {
				throw refused(List.of(queue),
						"it receives batches, and an outage cannot be distinguished from the failure of several messages",
						"Let the listener take single messages, or set outage.enabled of the message policy to false.");
			}
			if (policy.deduplication() != null) {
				throw refused(List.of(queue),
						"it receives batches, of which single messages can't be remembered as handled in one transaction with the handler",
						"Let the listener take single messages, or set deduplication.store of the message policy to none.");
			}
		});
		for (Method method : this.listener.handler().methods()) {
			if (replies(method)) {
				throw refused(policies.keySet(),
						"it receives batches and returns %s, but Spring AMQP sends no replies to a batch and would throw after the messages are handled"
							.formatted(result(method).getSimpleName()),
						"Let the listener method return void, or take single messages. A CompletableFuture or a Mono must be of type Void.");
			}
		}
	}

	private static boolean replies(Method method) {
		Class<?> type = result(method);
		if (type == void.class || type == Void.class) {
			return false;
		}
		boolean later = type != Object.class && AsyncResult.isPossible(type);
		return !later || ResolvableType.forMethodReturnType(method).getGeneric(0).resolve() != Void.class;
	}

	/** Of a Kotlin function that suspends, what it returns in Kotlin. */
	private static Class<?> result(Method method) {
		return new MethodParameter(method, -1).getParameterType();
	}

	/**
	 * What a listener method returns is waited for, see
	 * {@link AsyncResultHandlerAdapter}.
	 */
	private void checkResult(Collection<String> queues, MessageListener messageListener) {
		if (messageListener.isAsyncReplies()) {
			checkAsyncReplies(queues, messageListener);
		}
		for (Method method : this.listener.handler().methods()) {
			Class<?> type = result(method);
			if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null && !AsyncResult.isPossible(type)) {
				throw refused(queues,
						"its method '%s' returns a %s, to which Spring AMQP does not subscribe, so that nothing would be handled"
							.formatted(method.getName(), type.getSimpleName()),
						"Let the method return a Mono, as Flux#then() does, or remove the queue's message policy.");
			}
		}
		AdaptedDelegate.returningLater(messageListener).ifPresent((method) -> {
			throw refused(queues,
					"its MessageListenerAdapter calls %s#%s, whose return type %s may be a future, and would acknowledge the message a second time"
						.formatted(method.getDeclaringClass().getSimpleName(), method.getName(),
								method.getReturnType().getSimpleName()),
					"Let the method return void or the type of its result, or make it a @RabbitListener, or remove the queue's message policy.");
		});
	}

	/** Spring AMQP makes the acknowledge mode of such a listener MANUAL. */
	private void checkAsyncReplies(Collection<String> queues, MessageListener messageListener) {
		if (!(messageListener instanceof MessagingMessageListenerAdapter)) {
			throw refused(queues, "it says of itself that it settles its messages later (isAsyncReplies)",
					"Make it a @RabbitListener method that returns a CompletableFuture or a Mono, or remove the queue's message policy.");
		}
		this.listener.handler()
			.methods()
			.stream()
			.filter((method) -> !AsyncResult.isPossible(method.getReturnType())
					&& !KotlinDetector.isSuspendingFunction(method)
					&& List.of(method.getParameterTypes()).contains(Channel.class))
			.findFirst()
			.ifPresent((method) -> {
				throw refused(queues,
						"other methods of its class return a future or a Mono, so that Spring AMQP leaves it to the method '%s' to acknowledge through its Channel"
							.formatted(method.getName()),
						"Remove the Channel argument and the acknowledgement, or give the method a class of its own.");
			});
	}

	/** Whether an advice of a container is Spring's retry. */
	static boolean retries(Class<?> type) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (current.getSimpleName().endsWith("RetryOperationsInterceptor")) {
				return true;
			}
		}
		return false;
	}

	private UnsupportedListenerException refused(Collection<String> queues, String problem, String remedy) {
		return new UnsupportedListenerException(this.listener.name(), String.join("', '", queues), problem, remedy);
	}

}
