/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.message.OutboundMessageCheck;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.util.DigestUtils;

/**
 * Takes a producer's batch apart into messages that can be published by themselves: their
 * copies must not be taken for batches again. All have the properties of the batch, which
 * are those of its first message, but a message id of their own.
 */
public final class ProducerBatch {

	/** A body of zeros is a batch of as many empty messages as fit into the memory. */
	public static final int MOST_MESSAGES = 10_000;

	/** Beyond it, room for a number would make an id that is too long for AMQP. */
	private static final int LONGEST_ID = OutboundMessageCheck.LONGEST_SHORT_STRING - 11;

	private ProducerBatch() {
	}

	/**
	 * Divides a batch.
	 * @param call the call of its listener with the batch
	 * @param received the batch as received
	 * @param strategy knows its format
	 * @return its messages, at least one
	 * @throws ListenerExecutionFailedException if it is malformed
	 */
	static List<Part> divide(ListenerCall call, ReceivedMessage received, BatchingStrategy strategy) {
		Message processed = call.processed();
		Message batch = new Message(processed.getBody(), cloned(processed.getMessageProperties()));
		Set<String> gone = new HashSet<>(call.message().getMessageProperties().getHeaders().keySet());
		List<Message> messages = parts(batch, strategy);
		gone.removeAll(batch.getMessageProperties().getHeaders().keySet());
		gone.add(AmqpHeaders.BATCH_SIZE);
		List<Part> parts = new ArrayList<>(messages.size());
		for (Message message : messages) {
			MessageProperties properties = message.getMessageProperties();
			String id = id(received.properties().getMessageId(), parts.size());
			properties.setMessageId(id);
			properties.getHeaders().keySet().removeAll(gone);
			BasicProperties own = received.properties()
				.builder()
				.messageId(id)
				.contentEncoding(properties.getContentEncoding())
				.headers(without(gone, received.properties().getHeaders()))
				.build();
			parts.add(new Part(new Message(message.getBody(), properties), new ReceivedMessage(own, message.getBody(),
					received.exchange(), received.routingKey(), received.queue())));
		}
		return parts;
	}

	/**
	 * The messages in a batch, as the container would hand them to its listener.
	 * @param batch the batch, whose properties are changed
	 * @param strategy knows its format
	 * @return the messages, at least one
	 * @throws ListenerExecutionFailedException if it is malformed
	 */
	static List<Message> parts(Message batch, BatchingStrategy strategy) {
		List<Message> parts = new ArrayList<>();
		try {
			strategy.deBatch(batch, (part) -> parts.add(oneMore(parts, part)));
		}
		catch (ListenerExecutionFailedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// a length that is cut off, for one
			throw malformed(batch, (ex instanceof MessageConversionException problem) ? problem
					: new MessageConversionException("A batch is malformed", ex));
		}
		if (parts.isEmpty()) {
			throw malformed(batch, new MessageConversionException("A batch has no message"));
		}
		return parts;
	}

	/** With properties of its own: the strategy changes them for the next. */
	private static Message oneMore(List<Message> parts, Message part) {
		if (parts.size() == MOST_MESSAGES) {
			throw new MessageConversionException("A batch has more than %s messages".formatted(MOST_MESSAGES));
		}
		return new Message(part.getBody(), cloned(part.getMessageProperties()));
	}

	private static ListenerExecutionFailedException malformed(Message batch, MessageConversionException problem) {
		return new ListenerExecutionFailedException("Bad batched message received", problem, batch);
	}

	private static MessageProperties cloned(MessageProperties properties) {
		return MessagePropertiesBuilder.fromClonedProperties(properties).build();
	}

	/** The first keeps what was its own; the same for each delivery of the batch. */
	private static @Nullable String id(@Nullable String batch, int index) {
		if (batch == null || index == 0) {
			return batch;
		}
		byte[] bytes = batch.getBytes(StandardCharsets.UTF_8);
		if (bytes.length <= LONGEST_ID) {
			return batch + "#" + index;
		}
		// ids that differ only where they are cut must not become the same
		String hash = "~" + DigestUtils.md5DigestAsHex(bytes);
		String prefix = batch;
		while (prefix.getBytes(StandardCharsets.UTF_8).length > LONGEST_ID - hash.length()) {
			prefix = prefix.substring(0, prefix.length() - 1);
		}
		return prefix + hash + "#" + index;
	}

	private static @Nullable Map<String, Object> without(Set<String> gone, @Nullable Map<String, Object> headers) {
		if (headers == null) {
			return null;
		}
		Map<String, Object> rest = new HashMap<>(headers);
		rest.keySet().removeAll(gone);
		return rest;
	}

	/**
	 * One message of a batch.
	 *
	 * @param message as the listener gets it
	 * @param received as if it had been received alone
	 */
	public record Part(Message message, ReceivedMessage received) {
	}

}
