/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.Locale;

import io.github.rabbitretry.internal.ordering.OrderingKey;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.OrderingMode;
import io.github.rabbitretry.internal.policy.WhenParked;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.jspecify.annotations.Nullable;

/**
 * How one policy keeps its messages in order. What can't be kept in order is rejected.
 */
final class OrderingRules {

	private OrderingRules() {
	}

	static void check(PolicyProperties policy) {
		OrderingMode mode = policy.ordering();
		key(policy);
		if (policy.whenParked() == WhenParked.BLOCK && mode != OrderingMode.QUEUE) {
			throw Checks.invalid("when-parked", "block",
					"needs ordering queue (it is %s): consuming ends at the message, with all behind it"
						.formatted(lowerCase(mode)),
					"Set ordering to queue, or when-parked to continue.");
		}
	}

	/**
	 * The order of a policy's messages.
	 * @param policy the policy, checked
	 * @param budget how much a message may cost
	 * @param consumerTimeout how long the broker lets a consumer hold a delivery
	 * @param queueType the type of its queues
	 * @return what is kept, or {@code null} if nothing is
	 */
	static @Nullable Ordering ordering(PolicyProperties policy, Budget budget, Duration consumerTimeout,
			QueueType queueType) {
		if (policy.ordering() == OrderingMode.NONE) {
			return null;
		}
		String mode = lowerCase(policy.ordering());
		// the broker keeps the order for as long as one consumer at a time gets messages
		if (policy.workQueue() == WorkQueueMode.EXISTING) {
			throw Checks.invalid("work-queue", "existing",
					"is not possible with ordering %s: AMQP does not report whether a queue has a single active consumer"
						.formatted(mode),
					"Use work-queue declare and a queue of its own, or set ordering to none.");
		}
		if (queueType != QueueType.QUORUM) {
			throw Checks.invalid("ordering", mode, "needs quorum queues (rabbit-retry.topology.queue-type is classic)",
					"Set rabbit-retry.topology.queue-type to quorum, or ordering to none.");
		}
		combinations(policy, mode);
		Duration interval = policy.initialDelay();
		Duration longestHold = consumerTimeout.dividedBy(10).multipliedBy(8);
		long attempts = budget.brokerAttempts();
		Duration handling = (budget.longestHold() != null) ? budget.longestHold() : Duration.ZERO;
		// compared like this, no sum can overflow
		if (attempts > 0 && interval.compareTo(longestHold.dividedBy(attempts)) > 0 || interval.multipliedBy(attempts)
			.plus(handling.multipliedBy(attempts + 1))
			.compareTo(longestHold) > 0) {
			throw Checks.invalid("initial-delay", interval,
					"times broker-attempts (%s), plus the time that handling may take (%s for each attempt), must be <= eight tenths of the broker's consumer timeout (%s)"
						.formatted(attempts, handling, consumerTimeout),
					"Lower it, or make fewer attempts: a message that is kept in order is held, and the broker takes back what is held too long. If its consumer timeout is longer, say so by rabbit-retry.broker.consumer-timeout.");
		}
		Duration share = longestHold.dividedBy(attempts + 1).minus(handling);
		return new Ordering(policy.orderingKey(), interval, (share.compareTo(interval) > 0) ? share : interval,
				longestHold, policy.whenParked() == WhenParked.BLOCK);
	}

	private static void key(PolicyProperties policy) {
		String key = policy.orderingKey();
		if (policy.ordering() != OrderingMode.KEY) {
			if (key != null) {
				throw Checks.invalid("ordering-key", key, "has no effect with ordering " + lowerCase(policy.ordering()),
						"Set ordering to key, or remove it.");
			}
			return;
		}
		if (key == null) {
			throw Checks.invalid("ordering", "key", "needs ordering-key to say what the key is",
					"Set ordering-key to routing-key or header:<name>.");
		}
		if (OrderingKey.parse(key).isEmpty()) {
			throw Checks.invalid("ordering-key", key, "must be routing-key or header:<name>",
					"Use one of the two. Let the producer combine several values in one header.");
		}
	}

	private static void combinations(PolicyProperties policy, String ordering) {
		if (policy.retryBackoff() != BackoffKind.FIXED) {
			throw Checks.invalid("retry-backoff", lowerCase(policy.retryBackoff()),
					"must be fixed with ordering %s: the messages behind one that failed wait as long as it does"
						.formatted(ordering),
					"Set retry-backoff to fixed, and initial-delay to the interval.");
		}
		if (policy.outage().enabled()) {
			throw Checks.invalid("outage.enabled", true,
					"is not possible with ordering %s: a pause would give the held messages back one by one"
						.formatted(ordering),
					"Set outage.enabled to false for this message type.");
		}
		if (policy.retryRatio().max() != null) {
			throw Checks.invalid("retry-ratio.max", policy.retryRatio().max(),
					"is not possible with ordering %s: a message that waits for its turn holds all behind it"
						.formatted(ordering),
					"Remove it for this message type.");
		}
		Integer quarantineAfter = policy.poison().quarantineAfter();
		if (quarantineAfter != null && quarantineAfter > 0) {
			throw Checks.invalid("poison.quarantine-after", quarantineAfter,
					"is not possible with ordering %s: what goes into quarantine is overtaken".formatted(ordering),
					"Set it to 0 for this message type; delivery-limit bounds how often consumers die.");
		}
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
