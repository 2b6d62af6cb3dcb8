/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;

/**
 * The queues of all message types, seen by an operator.
 */
final class Queues {

	private final Connection connection;

	Queues(Connection connection) {
		this.connection = connection;
	}

	Depths depths() throws IOException {
		return new Depths(count((command) -> Stream.of(command.queue())),
				count((command) -> command.retryQueues().stream()),
				count((command) -> Stream.of(command.deadLetterQueue())),
				count((command) -> Stream.of(command.parkingLot())));
	}

	private Map<String, Long> count(Function<Command, Stream<String>> queues) throws IOException {
		Map<String, Long> counts = new LinkedHashMap<>();
		try (Channel channel = this.connection.createChannel()) {
			for (String queue : Arrays.stream(Command.values()).flatMap(queues).toList()) {
				counts.put(queue, channel.messageCount(queue));
			}
		}
		catch (java.util.concurrent.TimeoutException ex) {
			throw new IOException(ex);
		}
		return counts;
	}

	/**
	 * Reads all parking lots and leaves everything in them: what is got and never
	 * acknowledged is there again once the channel is closed. Getting has no bound, where
	 * a consumer of a quorum queue is given 2000 at most.
	 * @return what is parked
	 * @throws IOException if the broker can't be asked
	 */
	List<ParkedOrder> parked() throws IOException {
		List<ParkedOrder> parked = new ArrayList<>();
		try (Channel channel = this.connection.createChannel()) {
			for (Command command : Command.values()) {
				GetResponse message = channel.basicGet(command.parkingLot(), false);
				while (message != null) {
					parked.add(parked(message.getProps()));
					message = channel.basicGet(command.parkingLot(), false);
				}
			}
		}
		catch (java.util.concurrent.TimeoutException ex) {
			throw new IOException(ex);
		}
		return parked;
	}

	private static ParkedOrder parked(BasicProperties properties) {
		Map<String, Object> headers = Optional.ofNullable(properties.getHeaders()).orElse(Map.of());
		Object retries = headers.getOrDefault("x-app-retry-attempt", 0);
		return new ParkedOrder(String.valueOf(properties.getMessageId()),
				String.valueOf(headers.get("x-app-retry-reason")), ((Number) retries).intValue());
	}

	/**
	 * Messages that are ready, by queue.
	 *
	 * @param work in work queues
	 * @param retry in retry queues
	 * @param deadLetter in dead-letter queues
	 * @param parkingLots in parking lots
	 */
	record Depths(Map<String, Long> work, Map<String, Long> retry, Map<String, Long> deadLetter,
			Map<String, Long> parkingLots) {

		/** What has to be empty in the end. */
		Map<String, Long> left() {
			Map<String, Long> left = new LinkedHashMap<>(this.work);
			left.putAll(this.retry);
			left.putAll(this.deadLetter);
			left.values().removeIf((messages) -> messages == 0);
			return left;
		}

		static long sum(Map<String, Long> depths) {
			return depths.values().stream().mapToLong(Long::longValue).sum();
		}

	}

}
