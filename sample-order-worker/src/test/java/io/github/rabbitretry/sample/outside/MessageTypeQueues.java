/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;

/**
 * The queues of all message types, seen by an operator.
 */
public final class MessageTypeQueues {

	private final Connection connection;

	private final Function<OrderMessageType, List<String>> retryQueues;

	/**
	 * Creates the operator's view.
	 * @param connection leads to the broker
	 */
	public MessageTypeQueues(Connection connection) {
		this(connection, OrderMessageType::retryQueues);
	}

	/**
	 * Creates the operator's view of other retry queues.
	 * @param connection leads to the broker
	 * @param retryQueues the retry queues of each command
	 */
	public MessageTypeQueues(Connection connection, Function<OrderMessageType, List<String>> retryQueues) {
		this.connection = connection;
		this.retryQueues = retryQueues;
	}

	/**
	 * Looks into all queues.
	 * @return how many messages are ready in each
	 * @throws IOException if the broker can't be asked
	 */
	public Depths depths() throws IOException {
		return new Depths(count((command) -> Stream.of(command.queue())),
				count((command) -> this.retryQueues.apply(command).stream()),
				count((command) -> Stream.of(command.deadLetterQueue(), command.quarantine())),
				count((command) -> Stream.of(command.parkingLot())));
	}

	private Map<String, Long> count(Function<OrderMessageType, Stream<String>> queues) throws IOException {
		Map<String, Long> counts = new LinkedHashMap<>();
		try (Channel channel = this.connection.createChannel()) {
			for (String queue : Arrays.stream(OrderMessageType.values()).flatMap(queues).toList()) {
				counts.put(queue, channel.messageCount(queue));
			}
		}
		catch (java.util.concurrent.TimeoutException ex) {
			throw new IOException(ex);
		}
		return counts;
	}

	/**
	 * Messages that are ready, by queue.
	 *
	 * @param work in work queues
	 * @param retry in retry queues
	 * @param deadLetter in dead-letter queues and in quarantine
	 * @param parkingLots in parking lots
	 */
	public record Depths(Map<String, Long> work, Map<String, Long> retry, Map<String, Long> deadLetter,
			Map<String, Long> parkingLots) {

		/**
		 * What is not empty and has to be in the end.
		 * @return messages by queue
		 */
		public Map<String, Long> left() {
			Map<String, Long> left = new LinkedHashMap<>(this.work);
			left.putAll(this.retry);
			left.putAll(this.deadLetter);
			left.putAll(this.parkingLots);
			left.values().removeIf((messages) -> messages == 0);
			return left;
		}

		/**
		 * Adds up.
		 * @param depths messages by queue
		 * @return the messages of all queues
		 */
		public static long sum(Map<String, Long> depths) {
			return depths.values().stream().mapToLong(Long::longValue).sum();
		}

	}

}
