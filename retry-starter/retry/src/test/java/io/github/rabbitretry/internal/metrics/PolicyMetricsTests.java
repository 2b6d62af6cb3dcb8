/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void tellHowOldAMessageGetsAndWhetherItsCopiesCanBePublished() {
		bind(TestPolicy.order().build());
		assertThat(gauge("rabbit.retry.max.age.seconds"))
			.isEqualTo(TestPolicy.order().build().maxRetryAge().toSeconds());
		assertThat(gauge("rabbit.retry.publisher.blocked")).isOne();
	}

	@Test
	void tellOfLanesWhereMessagesAreKeptInOrderOnly() {
		bind(TestPolicy.order().build());
		assertThat(this.registry.find("rabbit.retry.ordering.blocked").gauge()).isNull();
		bind(TestPolicy.order()
			.ordering(new Ordering(null, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1), true))
			.build());
		assertThat(gauge("rabbit.retry.ordering.blocked")).isOne();
		assertThat(gauge("rabbit.retry.ordering.lanes")).isEqualTo(7);
	}

	private void bind(MessagePolicy policy) {
		new PolicyMetrics(List.of(policy), (type) -> true, (type, cause) -> 0, (type) -> 0, (type) -> true, (type) -> 7)
			.bindTo(this.registry);
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("message_type", "Order").gauge().value();
	}

}
