/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ShellWord;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The retry queues to which nothing is published at the moment, since it would not come
 * back from them. Used by the monitor's thread alone.
 */
final class WithheldQueues {

	private static final Log logger = LogFactory.getLog(BrokerPolicyMonitor.class);

	private static final long UNTIL_EACH_QUEUE_HAS_IT = TimeUnit.SECONDS.toNanos(10);

	private final Consumer<Set<String>> publishers;

	private final Map<String, Long> lastFoundAt = new HashMap<>();

	private final LongSupplier nanoTime;

	WithheldQueues(Consumer<Set<String>> publishers, LongSupplier nanoTime) {
		this.publishers = publishers;
		this.nanoTime = nanoTime;
	}

	/**
	 * Withholds what nothing comes back from. RabbitMQ gives a policy to queue after
	 * queue: a queue is used again only once it has been right for some time.
	 * @param noWayBack the queues that nothing comes back from
	 * @param management who said so
	 */
	void found(Set<String> noWayBack, ManagementClient management) {
		long now = this.nanoTime.getAsLong();
		noWayBack.forEach((queue) -> this.lastFoundAt.put(queue, now));
		Set<String> usable = new TreeSet<>();
		this.lastFoundAt.forEach((queue, foundAt) -> {
			if (now - foundAt >= UNTIL_EACH_QUEUE_HAS_IT) {
				usable.add(queue);
			}
		});
		this.lastFoundAt.keySet().removeAll(usable);
		this.publishers.accept(Set.copyOf(this.lastFoundAt.keySet()));
		usable.forEach((queue) -> logger.warn(again(queue, management)));
	}

	private static String again(String queue, ManagementClient management) {
		return "Copies are published to queue '%s' again. What came into it meanwhile may have no time to live. If the queue does not become empty, this command dead-letters its messages, which brings them back:%n    %s"
			.formatted(queue, bringBack(queue, management));
	}

	/**
	 * What brings all messages of a queue back. Of more than 32 at a time, RabbitMQ (4.0
	 * to 4.3) gives the rest back to the queue.
	 * @param queue a retry queue
	 * @param management who has it
	 * @return a command
	 */
	static String bringBack(String queue, ManagementClient management) {
		return "while curl -sS --fail -u \"$RABBITMQ_ADMIN\" -X POST %s -H 'content-type: application/json' -d %s | grep -q payload; do :; done"
			.formatted(ShellWord.quoted("%s/api/queues/%s/%s/get".formatted(management.url(), ManagementClient
				.encoded(management.virtualHost()), ManagementClient.encoded(queue))), ShellWord.quoted(
						"{\"count\":32,\"ackmode\":\"reject_requeue_false\",\"encoding\":\"auto\",\"truncate\":1}"));
	}

}
