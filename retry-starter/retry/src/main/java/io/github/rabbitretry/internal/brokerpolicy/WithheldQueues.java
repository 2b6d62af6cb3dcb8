/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.management.ManagementClient;
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

	/** By queue, since when it has been right, or nothing while it is not. */
	private final Map<String, OptionalLong> rightSince = new HashMap<>();

	private final BringBackCommand bringBack;

	private final LongSupplier nanoTime;

	WithheldQueues(Consumer<Set<String>> publishers, BringBackCommand bringBack, LongSupplier nanoTime) {
		this.publishers = publishers;
		this.bringBack = bringBack;
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
		this.rightSince.replaceAll((queue, since) -> since.isPresent() ? since : OptionalLong.of(now));
		noWayBack.forEach((queue) -> this.rightSince.put(queue, OptionalLong.empty()));
		Set<String> usable = new TreeSet<>();
		this.rightSince.forEach((queue, since) -> {
			if (since.isPresent() && now - since.getAsLong() >= UNTIL_EACH_QUEUE_HAS_IT) {
				usable.add(queue);
			}
		});
		this.rightSince.keySet().removeAll(usable);
		this.publishers.accept(all());
		usable.forEach((queue) -> logger.warn(again(queue, management)));
	}

	/**
	 * The queues to which nothing is published.
	 * @return their names
	 */
	Set<String> all() {
		return Set.copyOf(this.rightSince.keySet());
	}

	private String again(String queue, ManagementClient management) {
		return "Copies are published to queue '%s' again. What came into it meanwhile may have no time to live. If the queue does not become empty, this command dead-letters its messages, which brings them back:%n    %s"
			.formatted(queue, this.bringBack.command(queue, management));
	}

}
