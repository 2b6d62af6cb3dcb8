/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows what bounds the retries of a message type, and what keeps its messages from going
 * on.
 */
public final class PolicyMetrics implements MeterBinder {

	private final Collection<MessagePolicy> policies;

	private final Predicate<String> publisherBlocked;

	private final Predicate<String> orderBlocked;

	private final ToIntFunction<String> orderedLanes;

	/**
	 * Creates the metrics.
	 * @param policies all policies
	 * @param publisherBlocked whether the broker blocks the publishing of copies of a
	 * message type
	 * @param orderBlocked whether a message type's listener is stopped at a message
	 * @param orderedLanes how many ordering keys of a message type have messages here
	 */
	public PolicyMetrics(Collection<MessagePolicy> policies, Predicate<String> publisherBlocked,
			Predicate<String> orderBlocked, ToIntFunction<String> orderedLanes) {
		this.policies = List.copyOf(policies);
		this.publisherBlocked = publisherBlocked;
		this.orderBlocked = orderBlocked;
		this.orderedLanes = orderedLanes;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (MessagePolicy policy : this.policies) {
			String type = policy.messageType();
			gauge(registry, type, "rabbit.retry.max.age.seconds", "Age from which on a message is not retried any more",
					() -> policy.maxRetryAge().toMillis() / 1000.0);
			gauge(registry, type, "rabbit.retry.publisher.blocked",
					"Whether the broker blocks the connection on which copies are published",
					() -> this.publisherBlocked.test(type) ? 1 : 0);
			if (policy.ordering() != null) {
				gauge(registry, type, "rabbit.retry.ordering.blocked",
						"Whether the listener is stopped at a message that would be parked",
						() -> this.orderBlocked.test(type) ? 1 : 0);
				gauge(registry, type, "rabbit.retry.ordering.lanes",
						"Ordering keys that have messages which are handled or held",
						() -> this.orderedLanes.applyAsInt(type));
			}
		}
	}

	private static void gauge(MeterRegistry registry, String type, String name, String description,
			Supplier<Number> value) {
		Gauge.builder(name, value).description(description).tag("message_type", type).register(registry);
	}

}
