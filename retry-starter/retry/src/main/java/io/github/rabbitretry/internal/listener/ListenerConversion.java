/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.lang.reflect.Method;
import java.util.Optional;

import io.github.rabbitretry.internal.container.ManagedContainer;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.util.ReflectionUtils;

/**
 * Converts messages as the listener of their queue would, without calling it.
 */
public final class ListenerConversion {

	private static final Log logger = LogFactory.getLog(ListenerConversion.class);

	private static final @Nullable Method CONVERT = PayloadArguments.accessible(
			ReflectionUtils.findMethod(MessagingMessageListenerAdapter.class, "toMessagingMessage", Message.class));

	private final ManagedContainers containers;

	/**
	 * Creates the conversion.
	 * @param containers know who listens
	 */
	public ListenerConversion(ManagedContainers containers) {
		this.containers = containers;
	}

	/**
	 * Converts a message.
	 * @param policy the policy of its queue
	 * @param message the message
	 * @return what came of it, or empty if no listener of this instance converts messages
	 * of that queue, or not in a way that can be tried
	 */
	public Optional<Converted> convert(MessagePolicy policy, Message message) {
		return this.containers.container(policy).flatMap((container) -> convert(container, message));
	}

	private static Optional<Converted> convert(ManagedContainer container, Message message) {
		if (!(container.container().getMessageListener() instanceof MessagingMessageListenerAdapter adapter)
				|| adapter.getClass().getSimpleName().startsWith("Batch") || CONVERT == null
				|| message.getMessageProperties().getHeaders().containsKey(MessageProperties.SPRING_BATCH_FORMAT)) {
			return Optional.empty();
		}
		try {
			Object converted = ReflectionUtils.invokeMethod(CONVERT, adapter, processed(container, message));
			boolean resolved = converted instanceof org.springframework.messaging.Message<?> ofSpring
					&& PayloadArguments.resolve(adapter, ofSpring);
			return resolved ? Optional.of(new Converted(null)) : Optional.empty();
		}
		catch (Exception | LinkageError | StackOverflowError ex) {
			logger.debug("A sampled message can't be converted by the listener of its queue", ex);
			return Optional
				.of(new Converted(new ListenerExecutionFailedException("Failed to convert message", ex, message)));
		}
	}

	/** As before the listener is called, to decompress for example. */
	private static Message processed(ManagedContainer container, Message message) {
		Message processed = message;
		for (MessagePostProcessor processor : container.settings().postProcessors()) {
			processed = processor.postProcessMessage(processed);
		}
		return processed;
	}

	/**
	 * What came of a conversion.
	 *
	 * @param failure what the listener's adapter throws, or {@code null} if the message
	 * can be converted
	 */
	public record Converted(@Nullable Throwable failure) {
	}

}
