/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.listener.RetryContainerConfigurer;
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

	private final ConfirmedPublishers publishers;

	private final RetryContainerConfigurer containers;

	/**
	 * Creates the metrics.
	 * @param policies all policies
	 * @param publishers publish copies
	 * @param containers the listeners' containers
	 */
	public PolicyMetrics(Collection<MessagePolicy> policies, ConfirmedPublishers publishers,
			RetryContainerConfigurer containers) {
		this.policies = List.copyOf(policies);
		this.publishers = publishers;
		this.containers = containers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (MessagePolicy policy : this.policies) {
			String type = policy.messageType();
			gauge(registry, type, "rabbit.retry.max.age.seconds", "Age from which on a message is not retried any more",
					() -> policy.maxRetryAge().toMillis() / 1000.0);
			publishing(registry, type);
			if (policy.handlerTime() != null) {
				gauge(registry, type, "rabbit.retry.handlers.overdue",
						"Calls of a handler that go on although they were interrupted after its timeout",
						() -> this.containers.overdueHandlers(type));
			}
			if (policy.ordering() != null) {
				gauge(registry, type, "rabbit.retry.ordering.blocked",
						"Whether the listener is stopped at a message that would be parked",
						() -> this.containers.orderBlocked(type) ? 1 : 0);
				gauge(registry, type, "rabbit.retry.ordering.lanes",
						"Ordering keys that have messages which are handled or held",
						() -> this.containers.orderedLanes(type));
			}
		}
	}

	private void publishing(MeterRegistry registry, String type) {
		gauge(registry, type, "rabbit.retry.publisher.blocked",
				"Whether the broker blocks the connection on which copies are published",
				() -> this.publishers.blocked(type) ? 1 : 0);
		for (String cause : ConfirmedPublishers.causes()) {
			gauge(registry, type, "rabbit.retry.handover.waiting",
					"Copies that could not be published and wait, by cause", () -> this.publishers.waiting(type, cause),
					"cause", cause);
		}
	}

	private static void gauge(MeterRegistry registry, String type, String name, String description,
			Supplier<Number> value, String... tags) {
		Gauge.builder(name, value).description(description).tag("message_type", type).tags(tags).register(registry);
	}

}
