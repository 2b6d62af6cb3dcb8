/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.internal.topology.MessageTopology;

import org.springframework.util.Assert;

/**
 * All policies of an application, by work queue. Those of a service never change; an
 * application that works for several services replaces them all at once.
 */
public final class MessagePolicies {

	private volatile Map<String, MessagePolicy> byQueue;

	private volatile Map<String, MessagePolicy> byFormerQueue;

	/**
	 * Collects policies.
	 * @param policies the policies, no two with the same work queue
	 * @throws IllegalArgumentException if two policies share a work queue
	 */
	public MessagePolicies(Collection<MessagePolicy> policies) {
		this.byQueue = byQueue(policies);
		this.byFormerQueue = byFormerQueue(policies);
	}

	/**
	 * Replaces all policies.
	 * @param policies the policies, no two with the same work queue
	 * @throws IllegalArgumentException if two policies share a work queue
	 */
	public void replace(Collection<MessagePolicy> policies) {
		this.byQueue = byQueue(policies);
		this.byFormerQueue = byFormerQueue(policies);
	}

	private static Map<String, MessagePolicy> byFormerQueue(Collection<MessagePolicy> policies) {
		Map<String, MessagePolicy> byQueue = new LinkedHashMap<>();
		policies.forEach((policy) -> policy.topology()
			.formerQueues()
			.forEach((former) -> byQueue.putIfAbsent(former.queue(), policy)));
		return Collections.unmodifiableMap(byQueue);
	}

	private static Map<String, MessagePolicy> byQueue(Collection<MessagePolicy> policies) {
		Map<String, MessagePolicy> byQueue = new LinkedHashMap<>();
		for (MessagePolicy policy : policies) {
			MessagePolicy other = byQueue.putIfAbsent(policy.queue(), policy);
			Assert.isTrue(other == null, () -> "policies '%s' and '%s' share queue '%s'".formatted(other.messageType(),
					policy.messageType(), policy.queue()));
		}
		return Collections.unmodifiableMap(byQueue);
	}

	/**
	 * The policy of a work queue.
	 * @param queue the queue's name, now or before
	 * @return its policy, or empty if it has none
	 */
	public Optional<MessagePolicy> ofQueue(String queue) {
		MessagePolicy policy = this.byQueue.get(queue);
		return Optional.ofNullable((policy != null) ? policy : this.byFormerQueue.get(queue));
	}

	/**
	 * The work queues, under the names that they have and had before.
	 * @return their names
	 */
	public Set<String> queues() {
		Set<String> queues = new LinkedHashSet<>(this.byQueue.keySet());
		queues.addAll(this.byFormerQueue.keySet());
		return queues;
	}

	/**
	 * All policies, in the order of the configuration.
	 * @return the policies
	 */
	public Collection<MessagePolicy> all() {
		return this.byQueue.values();
	}

	/**
	 * Their topologies, in the same order.
	 * @return one for each policy
	 */
	public List<MessageTopology> topologies() {
		return all().stream().map(MessagePolicy::topology).toList();
	}

}
