/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.topology.QueueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerPoliciesTests {

	private static final Map<String, Object> LIMIT = Map.of("max-length", 40L);

	@Test
	void oneUserPolicyAndOneOperatorPolicyAreInEffect() {
		BrokerPolicies policies = new BrokerPolicies(
				List.of(TestPolicies.withPriority(TestPolicies.user("low", "order", LIMIT), 1),
						TestPolicies.withPriority(TestPolicies.user("high", "^order", LIMIT), 2),
						TestPolicies.withPriority(TestPolicies.user("other", "^invoice", LIMIT), 3),
						TestPolicies.withPriority(TestPolicies.operator("negative", "der", LIMIT), -5)));
		assertThat(policies.ofQueue("order", QueueType.QUORUM)).extracting(BrokerPolicy::name)
			.containsExactly("high", "negative");
		assertThat(policies.ofQueue("my.order", QueueType.QUORUM)).extracting(BrokerPolicy::name)
			.containsExactly("low", "negative");
	}

	@Test
	void ofPoliciesWithTheSamePriorityAnyMayBeInEffect() {
		BrokerPolicies policies = new BrokerPolicies(
				List.of(TestPolicies.user("a", "order", LIMIT), TestPolicies.user("b", "order", LIMIT)));
		assertThat(policies.ofQueue("order", QueueType.QUORUM)).extracting(BrokerPolicy::name)
			.containsExactly("a", "b");
	}

	@ParameterizedTest
	@CsvSource({ "all, true, true, true", "queues, true, true, false", "quorum_queues, true, false, false",
			"classic_queues, false, true, false", "streams, false, false, false", "exchanges, false, false, true" })
	void aPolicyAppliesToTheKindsItNames(String applyTo, boolean quorum, boolean classic, boolean exchange) {
		BrokerPolicies policies = new BrokerPolicies(
				List.of(TestPolicies.applyTo(TestPolicies.user("p", "", LIMIT), applyTo)));
		assertThat(policies.ofQueue("q", QueueType.QUORUM)).hasSize(quorum ? 1 : 0);
		assertThat(policies.ofQueue("q", QueueType.CLASSIC)).hasSize(classic ? 1 : 0);
		assertThat(policies.ofExchange("q")).hasSize(exchange ? 1 : 0);
	}

	@ParameterizedTest
	@CsvSource({ "queue-mode, false, true", "delivery-limit, true, false", "max-age, false, false",
			"overflow, true, true" })
	void aPolicyWithAKeyThatAQueueTypeHasNotIsNotAppliedAtAll(String key, boolean quorum, boolean classic) {
		BrokerPolicies policies = new BrokerPolicies(
				List.of(TestPolicies.user("p", "", Map.of("message-ttl", 1L, key, "x"))));
		assertThat(policies.ofQueue("q", QueueType.QUORUM)).hasSize(quorum ? 1 : 0);
		assertThat(policies.ofQueue("q", QueueType.CLASSIC)).hasSize(classic ? 1 : 0);
	}

}
