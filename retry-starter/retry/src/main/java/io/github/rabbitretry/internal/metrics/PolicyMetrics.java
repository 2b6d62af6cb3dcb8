/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows what bounds the retries of a message type, and what keeps its messages from going
 * on. All that is asked for is of a message type.
 *
 * @param policies all policies
 * @param publisherBlocked whether the broker blocks the publishing of copies
 * @param waiting how many copies wait for a cause to end
 * @param overdueHandlers how many calls of a handler go on after their timeout
 * @param orderBlocked whether the listener is stopped at a message
 * @param orderedLanes how many ordering keys have messages here
 */
public record PolicyMetrics(Collection<MessagePolicy> policies, Predicate<String> publisherBlocked,
		ToIntBiFunction<String, String> waiting, ToIntFunction<String> overdueHandlers, Predicate<String> orderBlocked,
		ToIntFunction<String> orderedLanes) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		for (MessagePolicy policy : this.policies) {
			String type = policy.messageType();
			gauge(registry, type, "rabbit.retry.max.age.seconds", "Age from which on a message is not retried any more",
					() -> policy.maxRetryAge().toMillis() / 1000.0);
			publishing(registry, type);
			if (policy.handlerTime() != null) {
				gauge(registry, type, "rabbit.retry.handlers.overdue",
						"Handler calls that are still running although they were interrupted after the timeout",
						() -> this.overdueHandlers.applyAsInt(type));
			}
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

	private void publishing(MeterRegistry registry, String type) {
		gauge(registry, type, "rabbit.retry.publisher.blocked",
				"Whether the broker blocks the connection on which copies are published",
				() -> this.publisherBlocked.test(type) ? 1 : 0);
		for (String cause : ConfirmedPublishers.causes()) {
			gauge(registry, type, "rabbit.retry.handover.waiting",
					"Copies that could not be published and wait, by cause", () -> this.waiting.applyAsInt(type, cause),
					"cause", cause);
		}
	}

	private static void gauge(MeterRegistry registry, String type, String name, String description,
			Supplier<Number> value, String... tags) {
		Gauge.builder(name, value).description(description).tag("message_type", type).tags(tags).register(registry);
	}

}
