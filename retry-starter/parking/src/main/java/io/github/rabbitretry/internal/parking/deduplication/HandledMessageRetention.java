/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Forgets handled messages after their policies' retention.
 */
public final class HandledMessageRetention implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(HandledMessageRetention.class);

	private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(10);

	private final HandledMessages handled;

	private final List<MessagePolicy> policies;

	private final InstantSource clock;

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates the retention.
	 * @param handled the table
	 * @param policies what is kept for how long
	 * @param clock what time it is in the database
	 */
	public HandledMessageRetention(HandledMessages handled, MessagePolicies policies, InstantSource clock) {
		this.handled = handled;
		this.policies = policies.all().stream().filter(HandledMessageRetention::inDatabase).toList();
		this.clock = clock;
	}

	/**
	 * Whether a policy's handled messages are in the database.
	 * @param policy the policy
	 * @return {@code true} if they are
	 */
	public static boolean inDatabase(MessagePolicy policy) {
		Deduplication deduplication = policy.deduplication();
		return deduplication != null && deduplication.store() == DeduplicationStore.JDBC;
	}

	@Override
	public synchronized void start() {
		if (this.executor == null && !this.policies.isEmpty()) {
			this.executor = Executors.newSingleThreadScheduledExecutor((work) -> {
				Thread thread = new Thread(work, "rabbit-retry-handled-messages");
				thread.setDaemon(true);
				return thread;
			});
			this.executor.scheduleWithFixedDelay(this::deleteOld, 0, BETWEEN_DELETIONS.toMillis(),
					TimeUnit.MILLISECONDS);
		}
	}

	void deleteOld() {
		try {
			// measures the database's clock, if nobody did
			this.handled.prepare();
			Instant now = this.clock.instant();
			for (MessagePolicy policy : this.policies) {
				Deduplication deduplication = policy.deduplication();
				if (deduplication != null) {
					this.handled.deleteOld(policy.queue(), now.minus(deduplication.retention()));
				}
			}
		}
		catch (Throwable ex) {
			// an Error too: what is scheduled and throws is not called again
			logger.warn("Handled messages that are too old are not forgotten for now: " + ex.getMessage());
			logger.debug("Handled messages are not deleted", ex);
		}
	}

	@Override
	public synchronized void stop() {
		if (this.executor != null) {
			this.executor.shutdownNow();
			this.executor = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

}
