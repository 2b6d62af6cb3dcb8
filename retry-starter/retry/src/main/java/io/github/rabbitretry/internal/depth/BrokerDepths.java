/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Asks the broker how many messages wait, by passive declarations: they need no plugin
 * and at most a permission on the queue, whichever, and unlike a look at messages they
 * leave these alone. What the broker refuses to report is left out.
 */
public final class BrokerDepths {

	private static final RateLimitedLog notPermitted = new RateLimitedLog(LogFactory.getLog(BrokerDepths.class),
			Duration.ofMinutes(30));

	private final ConnectionFactory connectionFactory;

	private final MessagePolicies policies;

	private final InstantSource clock;

	private final RefusedLookups refused = new RefusedLookups();

	/**
	 * Creates the depths.
	 * @param connectionFactory leads to the broker
	 * @param policies whose queues
	 * @param clock what time it is
	 */
	public BrokerDepths(ConnectionFactory connectionFactory, MessagePolicies policies, InstantSource clock) {
		this.connectionFactory = connectionFactory;
		this.policies = policies;
		this.clock = clock;
	}

	/**
	 * What waits for its next attempt, and what is left in former queues.
	 * @return one entry for each retry queue whose depth is known, the shortest delay of
	 * a type first; then former queues, those without a delay before their retry queues
	 * @throws org.springframework.amqp.AmqpException if the broker can't be asked
	 */
	public List<WaitingRetries> waiting() {
		List<RetryQueue> queues = retryQueues();
		this.policies.all().forEach((policy) -> queues.addAll(RetryQueue.ofFormer(policy)));
		Map<String, Long> ready = ready(queues.stream().map(RetryQueue::name).toList());
		Instant now = this.clock.instant();
		return queues.stream()
			.filter((queue) -> ready.containsKey(queue.name()))
			.map((queue) -> queue.with(ready.get(queue.name()), now))
			.toList();
	}

	/**
	 * Which retry queues there should be, without asking the broker.
	 * @return the queues, each without messages
	 */
	public List<WaitingRetries> queues() {
		return retryQueues().stream().map((queue) -> queue.with(0, Instant.EPOCH)).toList();
	}

	private List<RetryQueue> retryQueues() {
		List<RetryQueue> queues = new ArrayList<>();
		this.policies.all().forEach((policy) -> queues.addAll(RetryQueue.ofType(policy)));
		TopologyParts.of(this.policies.topologies())
			.queues()
			.stream()
			.filter((queue) -> DelayLadder.hasLevel(queue.name()))
			.forEach((queue) -> queues.add(RetryQueue.ofLadder(queue)));
		return queues;
	}

	/**
	 * What is parked.
	 * @return one entry for each parking lot whose depth is known
	 * @throws org.springframework.amqp.AmqpException if the broker can't be asked
	 */
	public List<ParkingLotDepth> parked() {
		Map<String, Long> ready = ready(this.policies.all().stream().flatMap(BrokerDepths::parkingLots).toList());
		List<ParkingLotDepth> parked = new ArrayList<>();
		for (MessagePolicy policy : this.policies.all()) {
			parkingLots(policy).filter(ready::containsKey)
				.forEach((queue) -> parked
					.add(new ParkingLotDepth(policy.messageType(), policy.owner(), queue, ready.get(queue))));
		}
		return List.copyOf(parked);
	}

	private static Stream<String> parkingLots(MessagePolicy policy) {
		return Stream
			.concat(Stream.of(policy.topology().parkingLot()),
					policy.topology().formerQueues().stream().map(FormerQueue::parkingLot))
			.distinct();
	}

	/**
	 * What is in the last queue of the virtual host.
	 * @return the number of messages, empty if the broker does not report it
	 * @throws org.springframework.amqp.AmqpException if the broker can't be asked
	 */
	public OptionalLong unroutable() {
		Long messages = ready(List.of(DelayLadder.UNROUTABLE)).get(DelayLadder.UNROUTABLE);
		return (messages != null) ? OptionalLong.of(messages) : OptionalLong.empty();
	}

	/**
	 * Whose parking lots there should be.
	 * @return the policies
	 */
	public Collection<MessagePolicy> policies() {
		return this.policies.all();
	}

	/**
	 * Whose depth is not known, since they are missing or may not be read.
	 * @param waiting the known retry queues
	 * @param parked the known parking lots
	 * @return the names of the others that the policies have; they are asked for again
	 * within five minutes
	 */
	public Set<String> unknown(List<WaitingRetries> waiting, List<ParkingLotDepth> parked) {
		Set<String> unknown = new TreeSet<>();
		queues().forEach((queue) -> unknown.add(queue.queue()));
		policies().forEach((policy) -> unknown.add(policy.topology().parkingLot()));
		waiting.forEach((queue) -> unknown.remove(queue.queue()));
		parked.forEach((queue) -> unknown.remove(queue.queue()));
		return unknown;
	}

	private Map<String, Long> ready(Collection<String> queues) {
		Instant now = this.clock.instant();
		Map<String, Long> ready = new HashMap<>();
		try (Connection connection = ClientConnection.open(this.connectionFactory);
				QueueLookup lookup = new QueueLookup(ClientConnection.delegate(connection))) {
			for (String queue : queues) {
				if (this.refused.due(queue, now)) {
					look(queue, lookup.depth(queue), now).ifPresent((depth) -> ready.put(queue, depth.ready()));
				}
			}
		}
		return ready;
	}

	private Optional<QueueLookup.Depth> look(String queue, Optional<QueueLookup.Depth> found, Instant now) {
		Optional<QueueLookup.Depth> known = found.filter(QueueLookup.Depth::known);
		if (known.isPresent()) {
			this.refused.remove(queue);
			return known;
		}
		found.ifPresent(
				(unknown) -> notPermitted.warn(() -> "The depth of queue '%s' is not known, and perhaps of others: %s"
					.formatted(queue, unknown.refusal())));
		this.refused.add(queue, now);
		return known;
	}

	/**
	 * A queue that holds messages for one delay.
	 *
	 * @param messageType whose, or {@code null} if services share it
	 * @param name its name
	 * @param delay for how long
	 * @param longest how long a message can be on its way from there to its work queue
	 */
	private record RetryQueue(@Nullable String messageType, String name, Duration delay, Duration longest) {

		WaitingRetries with(long messages, Instant now) {
			return new WaitingRetries(this.messageType, this.name, this.delay, messages,
					(messages > 0) ? now.plus(this.longest) : null);
		}

		static List<RetryQueue> ofType(MessagePolicy policy) {
			return policy.topology()
				.ownQueues()
				.stream()
				.filter((queue) -> queue.role() == QueueRole.RETRY)
				.map((queue) -> new RetryQueue(policy.messageType(), queue.name(), delay(queue), delay(queue)))
				.toList();
		}

		static List<RetryQueue> ofFormer(MessagePolicy policy) {
			return policy.topology()
				.formerQueues()
				.stream()
				.flatMap(
						(former) -> Stream.concat(
								Stream.of(former.queue(), former.quarantine(), former.deadLetterQueue())
									.map((name) -> new RetryQueue(policy.messageType(), name, Duration.ZERO,
											Duration.ZERO)),
								policy.topology()
									.levels()
									.stream()
									.map((level) -> new RetryQueue(policy.messageType(), former.retryQueue(level),
											level.delay(), level.delay()))))
				.filter((queue) -> !policy.topology().hasQueue(queue.name()))
				.toList();
		}

		static RetryQueue ofLadder(QueueDefinition queue) {
			// below a level are levels of half its delay, a quarter and so on
			return new RetryQueue(null, queue.name(), delay(queue),
					delay(queue).multipliedBy(2).minus(DelayLadder.UNIT));
		}

		private static Duration delay(QueueDefinition queue) {
			return Duration.ofMillis(((Number) queue.arguments().get("x-message-ttl")).longValue());
		}

	}

}
