/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * Compares what handlers may take with the consumer timeouts of existing work queues:
 * that of the queue's declaration and those of the policies in effect for it, of which
 * the lowest counts. Policies for our own queues are judged by
 * {@link QueuePolicyEvaluator}.
 */
final class ExistingQueueTimeouts {

	private static final String KEY = "consumer-timeout";

	private final List<MessageTopology> topologies;

	ExistingQueueTimeouts(Collection<MessageTopology> topologies) {
		this.topologies = topologies.stream()
			.filter((topology) -> topology.hasExistingQueue() && topology.longestHold() != null)
			.toList();
	}

	/**
	 * Finds those that are too short.
	 * @param policies the virtual host's policies
	 * @param queues describes a queue by its name
	 * @return what is wrong
	 * @throws ManagementUnavailableException if a queue can't be looked at
	 */
	List<InvalidConfigurationException> tooShort(BrokerPolicies policies,
			Function<String, Optional<QueueDescription>> queues) {
		return this.topologies.stream()
			.flatMap((topology) -> queues.apply(topology.queue())
				.stream()
				.flatMap((queue) -> timeouts(topology.queue(), queue, policies)
					.filter((timeout) -> timeout.millis() <= hold(topology).toMillis())
					.limit(1)
					.map((timeout) -> problem(topology, timeout))))
			.toList();
	}

	private static Duration hold(MessageTopology topology) {
		Duration hold = topology.longestHold();
		return (hold != null) ? hold : Duration.ZERO;
	}

	private static Stream<Timeout> timeouts(String name, QueueDescription queue, BrokerPolicies policies) {
		return Stream.concat(Timeout.of(queue.arguments().get("x-" + KEY), "its argument x-" + KEY),
				policies.ofQueue(name, queue.queueType())
					.stream()
					.flatMap((policy) -> Timeout.of(policy.definition().get(KEY), policy.description())));
	}

	private static InvalidConfigurationException problem(MessageTopology topology, Timeout timeout) {
		return new InvalidConfigurationException("handler-timeout", hold(topology),
				"(with local-delay, times local-attempts) must be < the consumer timeout of existing queue '%s', which is %s by %s"
					.formatted(topology.queue(), Duration.ofMillis(timeout.millis()), timeout.origin()),
				"Lower handler-timeout, make fewer local attempts, or raise the consumer timeout; the broker takes a delivery back that is held too long.");
	}

	/** A consumer timeout, and who sets it. */
	private record Timeout(long millis, String origin) {

		static Stream<Timeout> of(@Nullable Object millis, String origin) {
			return (millis instanceof Number number) ? Stream.of(new Timeout(number.longValue(), origin))
					: Stream.empty();
		}

	}

}
