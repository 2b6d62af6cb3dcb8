/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.io.Serial;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.connection.ProtectedGetter;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.adapter.BatchMessagingMessageListenerAdapter;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessageConverter;

/**
 * Tells which message of a batch can't be converted. Spring AMQP's adapter would reject
 * it, besides us, and call the handler with the others.
 */
public final class BatchItemConverter implements MessageConverter {

	private final MessageConverter converter;

	private BatchItemConverter(MessageConverter converter) {
		this.converter = converter;
	}

	/**
	 * Puts itself between a listener and its converter.
	 * @param listener a listener of batches
	 */
	public static void install(BatchMessagingMessageListenerAdapter listener) {
		if (ProtectedGetter.<Object>call(AbstractAdaptableMessageListener.class, "getMessageConverter",
				listener) instanceof MessageConverter converter && !(converter instanceof BatchItemConverter)) {
			listener.setMessageConverter(new BatchItemConverter(converter));
		}
	}

	/**
	 * The message that could not be converted.
	 * @param failure what a listener of batches threw
	 * @param messages what it was given
	 * @return which of them, or empty if all were converted
	 */
	public static Optional<Failed> failed(Throwable failure, List<Message> messages) {
		return CauseChain.find(failure, Unconvertible.class)
			.flatMap((found) -> IntStream.range(0, messages.size())
				.filter((index) -> messages.get(index) == found.item)
				.mapToObj((index) -> new Failed(index,
						new ListenerExecutionFailedException("Failed to convert message", found.failure, found.item)))
				.findFirst());
	}

	@Override
	public Object fromMessage(Message message) throws MessageConversionException {
		try {
			return this.converter.fromMessage(message);
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			throw new Unconvertible(message, ex);
		}
	}

	@Override
	public Message toMessage(Object object, MessageProperties properties) throws MessageConversionException {
		return this.converter.toMessage(object, properties);
	}

	@Override
	public Message toMessage(Object object, MessageProperties properties, @Nullable Type genericType)
			throws MessageConversionException {
		return this.converter.toMessage(object, properties, genericType);
	}

	/**
	 * A message that could not be converted.
	 *
	 * @param index its place
	 * @param failure as a listener of single messages fails
	 */
	public record Failed(int index, Throwable failure) {
	}

	/** No exception of conversion, which the adapter would take for itself. */
	private static final class Unconvertible extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		private final transient Message item;

		private final transient Throwable failure;

		Unconvertible(Message item, Throwable failure) {
			super("A message of a batch can't be converted", failure);
			this.item = item;
			this.failure = failure;
		}

	}

}
