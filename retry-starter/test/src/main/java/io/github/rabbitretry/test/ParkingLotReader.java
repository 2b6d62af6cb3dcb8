/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.ChannelCallback;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.ApplicationContext;

/**
 * Reads a parking lot. Messages are consumed and returned: none is lost. In parking lots
 * declared by the starter they are not dropped however often they are read, unless a
 * broker policy sets a delivery limit: before RabbitMQ 4.3 each read counts as a
 * delivery. While waiting, the parking lot is therefore read again when the number of
 * messages has changed, otherwise every two seconds. During a read, which takes
 * milliseconds, other consumers do not see the messages, and they are marked as
 * redelivered afterwards. The first 1000 messages are read.
 */
public final class ParkingLotReader {

	private static final int MOST = 1000;

	/** One may have arrived and another left: reads every two seconds anyway. */
	private static final int MOST_SKIPPED = 10;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ConnectionFactory connectionFactory;

	private final String queue;

	private ParkingLotReader(ConnectionFactory connectionFactory, String queue) {
		this.connectionFactory = connectionFactory;
		this.queue = queue;
	}

	/**
	 * Reads a queue.
	 * @param connectionFactory the connection factory to use
	 * @param queue the parking lot's name
	 * @return the parking lot
	 */
	public static ParkingLotReader in(ConnectionFactory connectionFactory, String queue) {
		return new ParkingLotReader(connectionFactory, queue);
	}

	/**
	 * Reads the parking lot of a message type.
	 * @param context the running application
	 * @param messageType the policy's name
	 * @return the parking lot
	 * @throws IllegalArgumentException if there is no such policy
	 */
	public static ParkingLotReader in(ApplicationContext context, String messageType) {
		MessagePolicy policy = context.getBean(MessagePolicies.class)
			.all()
			.stream()
			.filter((candidate) -> candidate.messageType().equals(messageType))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no message policy '%s'".formatted(messageType)));
		return in(context.getBean(ConnectionFactory.class), policy.topology().parkingLot());
	}

	/**
	 * Waits up to 30 seconds until a message is parked for a reason.
	 * @param reason the reason
	 * @return the first such message
	 * @throws AssertionError if there is none in time, with the reasons found
	 */
	public ParkingLotMessage awaitOne(String reason) {
		return awaitOne(reason, PATIENCE);
	}

	/**
	 * Waits until a message is parked for a reason.
	 * @param reason the reason
	 * @param within how long to wait
	 * @return the first such message
	 * @throws AssertionError if there is none in time, with the reasons found
	 */
	public ParkingLotMessage awaitOne(String reason, Duration within) {
		try {
			return Awaitility.await()
				.atMost(within)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(200))
				.until(new Looks(reason)::next, Optional::isPresent)
				.orElseThrow();
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("No message was parked in '%s' because of %s within %s; there are: %s"
				.formatted(this.queue, reason, within, reasons()), ex);
		}
	}

	/**
	 * Returns all messages, at most 1000.
	 * @return the messages, in the order of the queue
	 */
	public List<ParkingLotMessage> all() {
		return onChannel(this::look);
	}

	private <T> T onChannel(ChannelCallback<T> use) {
		return Objects.requireNonNull(new RabbitTemplate(this.connectionFactory).execute((channel) -> {
			// or a cached channel would keep what could not be given back
			RabbitUtils.setPhysicalCloseRequired(channel, true);
			return use.doInRabbit(channel);
		}), "it was looked into");
	}

	private List<ParkingLotMessage> look(Channel channel) throws IOException {
		List<ParkingLotMessage> messages = new ArrayList<>();
		long last = 0;
		try {
			GetResponse response = channel.basicGet(this.queue, false);
			while (response != null) {
				last = response.getEnvelope().getDeliveryTag();
				messages.add(ParkingLotMessage.of(response));
				response = (messages.size() < MOST) ? channel.basicGet(this.queue, false) : null;
			}
		}
		finally {
			if (last > 0) {
				// nack, not reject: RabbitMQ 4.3 counts the latter as a failed delivery
				channel.basicNack(last, true, true);
			}
		}
		return messages;
	}

	private String reasons() {
		TreeMap<String, Integer> counts = new TreeMap<>();
		all().forEach((message) -> counts.merge(message.reason(), 1, Integer::sum));
		return counts.isEmpty() ? "none" : counts.toString();
	}

	/** Reads if something may have changed: each read may count as a delivery. */
	private final class Looks {

		private final String reason;

		private long seen = -1;

		private int skipped;

		Looks(String reason) {
			this.reason = reason;
		}

		Optional<ParkingLotMessage> next() {
			long ready = onChannel((channel) -> channel.messageCount(ParkingLotReader.this.queue));
			if (ready == this.seen && ++this.skipped < MOST_SKIPPED) {
				return Optional.empty();
			}
			this.seen = ready;
			this.skipped = 0;
			return all().stream().filter((message) -> message.reason().equals(this.reason)).findFirst();
		}

	}

}
