/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.FormerQueue;

/**
 * A queue that a listener gets messages from besides the work queue, by a second
 * container.
 *
 * @param policy the policy
 * @param name the queue's name
 * @param quarantine whether it has messages that consumers died with
 * @param former whether it belongs to a former work queue, and may not exist
 */
record SecondQueue(MessagePolicy policy, String name, boolean quarantine, boolean former) {

	/** Whether it is a former work queue whose messages are kept in order. */
	boolean ordered() {
		return this.former && !this.quarantine && this.policy.ordering() != null;
	}

	/**
	 * The second queues of a policy.
	 * @param policy the policy
	 * @param own what the listener consumes itself
	 * @return the queues
	 */
	static List<SecondQueue> of(MessagePolicy policy, List<String> own) {
		List<SecondQueue> queues = new ArrayList<>();
		if (policy.quarantined()) {
			queues.add(new SecondQueue(policy, policy.topology().quarantine(), true, false));
		}
		for (FormerQueue former : policy.topology().formerQueues()) {
			queues.add(new SecondQueue(policy, former.queue(), false, true));
			queues.add(new SecondQueue(policy, former.quarantine(), true, true));
		}
		queues.removeIf((queue) -> own.contains(queue.name())
				|| queue.former() && queue.name().equals(policy.topology().quarantine()));
		return queues;
	}

}
