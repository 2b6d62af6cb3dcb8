/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyNames;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What policies do to the queues that a migration fills.
 */
class JudgedPoliciesTests {

	private static final MessageTopology BEFORE = MessageTopology.of("order")
		.delays(List.of(Duration.ofSeconds(1)))
		.build();

	private static final MessageTopology RENAMED = MessageTopology.of("order")
		.delays(List.of(Duration.ofSeconds(1)))
		.names(new TopologyNames(null, null, null, null, "order.parked", null))
		.build();

	private static final BrokerPolicies EXPIRING = policy("^order[.]parked$", "message-ttl");

	private static BrokerPolicies policy(String pattern, String key) {
		return new BrokerPolicies(
				List.of(new BrokerPolicy("short", false, NameRegex.of(pattern), "queues", 0, Map.of(key, 1000))));
	}

	private static MigrationPlan plan(MessageTopology wanted) {
		return new MigrationPlanner(List.of(new MigratedType(wanted, BEFORE)), SimulatedBroker.with(BEFORE).live(),
				Set.of())
			.plan();
	}

	private static MigrationPlan judged(MessageTopology wanted, BrokerPolicyMode mode, BrokerPolicies policies) {
		return new JudgedPolicies(List.of(wanted), mode).judge(plan(wanted), policies, "/");
	}

	@Test
	void aQueueThatAPolicyEmptiesIsNotFilled() {
		MigrationPlan plan = judged(RENAMED, BrokerPolicyMode.FAIL, EXPIRING);
		assertThat(plan.obstacles()).singleElement()
			.asString()
			.contains("Configured queues would lose messages", "message-ttl 1000", "'order.parked'", "set_policy");
		assertThat(plan.leftAlone()).singleElement().satisfies((one) -> {
			assertThat(one.what()).isEqualTo("policies of 'order.parked'");
			assertThat(one.why()).contains("Nothing is applied before that is displaced", "set_policy");
		});
	}

	@Test
	void whoeverWarnsOnlyIsOnlyWarned() {
		MigrationPlan plan = judged(RENAMED, BrokerPolicyMode.WARN, EXPIRING);
		assertThat(plan.obstacles()).isEmpty();
		assertThat(plan.leftAlone()).singleElement()
			.extracting(MigrationPlan.LeftAlone::why)
			.asString()
			.contains("in spite of it", "set_policy");
		assertThat(judged(RENAMED, BrokerPolicyMode.IGNORE, EXPIRING)).isEqualTo(plan(RENAMED));
	}

	@Test
	void temporaryQueuesAreJudgedWhateverIsConfigured() {
		MessageTopology changed = MessageTopology.of("order")
			.delays(List.of(Duration.ofSeconds(1)))
			.deliveryLimit(9)
			.build();
		assertThat(judged(changed, BrokerPolicyMode.IGNORE, policy("^order[.]migrating$", "expires")).obstacles())
			.singleElement()
			.asString()
			.contains("Temporary queues would lose messages");
	}

	@Test
	void otherQueuesAreNoObstacle() {
		assertThat(judged(RENAMED, BrokerPolicyMode.FAIL, policy("^somebody", "message-ttl"))).isEqualTo(plan(RENAMED));
	}

}
