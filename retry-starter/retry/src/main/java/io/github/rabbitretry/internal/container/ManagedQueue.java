/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Instant;
import java.util.Objects;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.decision.RetryRatioLimiter;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.invocation.HandlerTimeout;
import io.github.rabbitretry.internal.invocation.LocalRetry;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.jspecify.annotations.Nullable;

/**
 * One work queue of a managed container.
 *
 * @param policy the queue's policy
 * @param localRetry how the handler is called
 * @param publisher where copies go
 * @param ratioLimiter how many calls may be retries, or {@code null} for any
 * @param timeout how long the handler may take, or {@code null} for as long as it wants
 * @param crashLoopDetector what is done about messages whose consumers died
 * @param deduplicator knows which messages were handled, or {@code null} for none
 * @param dependency the service that the handler calls, or {@code null} if its outages
 * are not looked for
 */
public record ManagedQueue(MessagePolicy policy, LocalRetry localRetry, ConfirmedPublisher publisher,
		@Nullable RetryRatioLimiter ratioLimiter, @Nullable HandlerTimeout timeout, CrashLoopDetector crashLoopDetector,
		@Nullable MessageDeduplicator deduplicator, @Nullable Dependency dependency) {

	/** As if the message had failed later first, by the outages since then. */
	public DeliveryHistory withoutOutages(Delivery delivery) {
		DeliveryHistory history = delivery.history();
		Instant first = history.firstFailureAt();
		OutageSettings outage = this.policy.outage();
		if (first == null || outage == null || !outage.excludeFromAge() || this.dependency == null) {
			return history;
		}
		return history.firstFailedAt(first.plus(this.dependency.circuit().outagesBetween(first, delivery.now())));
	}

	/** What is done about a message that an outage caught. */
	public Decision untilProbe(Delivery delivery) {
		Dependency down = Objects.requireNonNull(this.dependency, "there is an outage of it");
		return new Decision.Postpone(delivery.now().plus(down.circuit().delay()));
	}

}
