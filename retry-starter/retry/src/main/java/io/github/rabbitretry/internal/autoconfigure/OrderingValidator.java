/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.Locale;

import io.github.rabbitretry.internal.ordering.OrderingKey;
import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.OrderingMode;
import io.github.rabbitretry.internal.policy.WhenParked;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.WorkQueue;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * How one policy keeps its messages in order, checked when it is read. What can't be kept
 * in order is refused.
 */
final class OrderingValidator {

	private final PolicyValidator values;

	private final PolicyProperties properties;

	OrderingValidator(PolicyValidator values) {
		this.values = values;
		this.properties = values.properties();
	}

	/**
	 * The order of a policy's messages.
	 * @param budget how much a message may cost
	 * @param consumerTimeout how long the broker lets a consumer hold a delivery
	 * @param topology how queues are declared
	 * @return what is kept, or {@code null} if nothing is
	 */
	@Nullable Ordering ordering(Budget budget, Duration consumerTimeout, RabbitRetryProperties.TopologyProperties topology) {
		OrderingMode mode = this.properties.ordering();
		String key = key(mode);
		boolean blocks = this.properties.whenParked() == WhenParked.BLOCK;
		if (blocks && mode != OrderingMode.QUEUE) {
			throw this.values.invalid("when-parked", "block",
					"needs ordering queue (it is %s): consuming ends at the message, with all behind it"
						.formatted(lowerCase(mode)),
					"Set ordering to queue, or when-parked to continue.");
		}
		if (mode == OrderingMode.NONE) {
			return null;
		}
		queue(mode, topology);
		combinations(mode);
		Duration interval = this.values.waited("initial-delay", this.properties.initialDelay());
		Duration longestHold = consumerTimeout.dividedBy(10).multipliedBy(8);
		long attempts = budget.brokerAttempts();
		Duration handling = (budget.longestHold() != null) ? budget.longestHold() : Duration.ZERO;
		// compared like this, no sum can overflow
		if (attempts > 0 && interval.compareTo(longestHold.dividedBy(attempts)) > 0 || interval.multipliedBy(attempts)
			.plus(handling.multipliedBy(attempts + 1))
			.compareTo(longestHold) > 0) {
			throw this.values.invalid("initial-delay", interval,
					"times broker-attempts (%d), plus the time that handling may take (%s for each attempt), must be <= eight tenths of the broker's consumer timeout (%s)"
						.formatted(attempts, handling, consumerTimeout),
					"Lower it, or make fewer attempts: a message that is kept in order is held, and the broker takes back what is held too long. If its consumer timeout is longer, say so by rabbit-retry.broker.consumer-timeout.");
		}
		Duration share = longestHold.dividedBy(attempts + 1).minus(handling);
		return new Ordering(key, interval, (share.compareTo(interval) > 0) ? share : interval, longestHold, blocks);
	}

	private @Nullable String key(OrderingMode mode) {
		String key = this.properties.orderingKey();
		if (mode != OrderingMode.KEY) {
			if (key != null) {
				throw this.values.invalid("ordering-key", key, "has no effect with ordering " + lowerCase(mode),
						"Set ordering to key, or remove it.");
			}
			return null;
		}
		if (key == null) {
			throw this.values.invalid("ordering", "key", "needs ordering-key to say what the key is",
					"Set ordering-key to header:NAME, to routing-key, or to a SpEL expression.");
		}
		try {
			OrderingKey.parse(key);
		}
		catch (ParseException | IllegalArgumentException ex) {
			throw this.values.invalid("ordering-key", key, "can't be read: " + ex.getMessage(),
					"Use header:NAME, routing-key, or a SpEL expression such as headers['tenant'] + headers['customer'].");
		}
		return key;
	}

	/** The broker keeps the order for as long as one consumer at a time gets messages. */
	private void queue(OrderingMode mode, RabbitRetryProperties.TopologyProperties topology) {
		String ordering = lowerCase(mode);
		if (this.values.workQueue() == WorkQueue.EXISTING) {
			throw this.values.invalid("work-queue", "existing",
					"is not possible with ordering %s: whether a queue has a single active consumer can't be told over AMQP"
						.formatted(ordering),
					"Use work-queue declare and a queue of its own, or set ordering to none.");
		}
		if (topology.queueType() != QueueType.QUORUM) {
			throw this.values.invalid("ordering", ordering,
					"needs quorum queues (rabbit-retry.topology.queue-type is classic)",
					"Set rabbit-retry.topology.queue-type to quorum, or ordering to none.");
		}
	}

	private void combinations(OrderingMode mode) {
		String ordering = lowerCase(mode);
		if (this.properties.retryBackoff() != BackoffKind.FIXED) {
			throw this.values.invalid("retry-backoff", lowerCase(this.properties.retryBackoff()),
					"must be fixed with ordering %s: the messages behind one that failed wait as long as it does"
						.formatted(ordering),
					"Set retry-backoff to fixed, and initial-delay to the interval.");
		}
		if (this.properties.outage().enabled()) {
			throw this.values.invalid("outage.enabled", true,
					"is not possible with ordering %s: a pause would give the held messages back one by one"
						.formatted(ordering),
					"Set outage.enabled to false for this message type.");
		}
		if (this.properties.retryRatio().max() != null) {
			throw this.values.invalid("retry-ratio.max", this.properties.retryRatio().max(),
					"is not possible with ordering %s: a message that waits for its turn holds all behind it"
						.formatted(ordering),
					"Remove it for this message type.");
		}
		Integer quarantineAfter = this.properties.poison().quarantineAfter();
		if (quarantineAfter != null && quarantineAfter > 0) {
			throw this.values.invalid("poison.quarantine-after", quarantineAfter,
					"is not possible with ordering %s: what goes into quarantine is overtaken".formatted(ordering),
					"Set it to 0 for this message type; delivery-limit bounds how often consumers die.");
		}
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
