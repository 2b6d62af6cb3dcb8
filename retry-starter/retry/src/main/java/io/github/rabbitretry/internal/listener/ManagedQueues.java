/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.internal.container.CrashLoopDetector;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.decision.RetryRatioLimiter;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.invocation.HandlerTimeouts;
import io.github.rabbitretry.internal.invocation.LocalRetry;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RetryRatio;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Gives each queue what its policy asks for.
 */
public final class ManagedQueues implements AutoCloseable {

	private final ConfirmedPublishers publishers;

	private final Deduplicators deduplicators;

	private final Dependencies dependencies;

	private final HandlerTimeouts timeouts = new HandlerTimeouts();

	private final Map<String, RetryRatioLimiter> ratioLimiters = new ConcurrentHashMap<>();

	/**
	 * Creates them.
	 * @param publishers where copies go
	 * @param deduplicators know which messages were handled
	 * @param dependencies the services that handlers call
	 */
	public ManagedQueues(ConfirmedPublishers publishers, Deduplicators deduplicators, Dependencies dependencies) {
		this.publishers = publishers;
		this.deduplicators = deduplicators;
		this.dependencies = dependencies;
	}

	ConfirmedPublishers publishers() {
		return this.publishers;
	}

	HandlerTimeouts timeouts() {
		return this.timeouts;
	}

	/**
	 * A work queue.
	 * @param policy its policy
	 * @param connections where its container consumes
	 * @return the queue
	 */
	ManagedQueue workQueue(MessagePolicy policy, ConnectionFactory connections) {
		return queue(policy, connections, ratioLimiter(policy), CrashLoopDetector.inWorkQueue(policy));
	}

	ManagedQueue quarantine(MessagePolicy policy, ConnectionFactory connections) {
		return queue(policy, connections, null, CrashLoopDetector.inQuarantine());
	}

	private ManagedQueue queue(MessagePolicy policy, ConnectionFactory connections,
			@Nullable RetryRatioLimiter ratioLimiter, CrashLoopDetector crashLoopDetector) {
		return new ManagedQueue(policy, new LocalRetry(policy.localAttempts(), policy.localDelay()),
				this.publishers.publisher(connections, policy.messageType()), ratioLimiter, this.timeouts.of(policy),
				crashLoopDetector, this.deduplicators.of(policy), this.dependencies.of(policy));
	}

	/** One for all listeners of a message type. */
	private @Nullable RetryRatioLimiter ratioLimiter(MessagePolicy policy) {
		RetryRatio ratio = policy.ratio();
		return (ratio != null) ? this.ratioLimiters.computeIfAbsent(policy.messageType(),
				(type) -> new RetryRatioLimiter(ratio, System::nanoTime)) : null;
	}

	@Override
	public void close() {
		this.dependencies.close();
		this.timeouts.close();
	}

}
