/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Map;

import io.github.rabbitretry.internal.management.NameRegex;

/**
 * Policies for tests.
 */
final class TestPolicies {

	private TestPolicies() {
	}

	static BrokerPolicy user(String name, String pattern, Map<String, Object> definition) {
		return new BrokerPolicy(name, false, NameRegex.of(pattern), "all", 0, definition);
	}

	static BrokerPolicy operator(String name, String pattern, Map<String, Object> definition) {
		return new BrokerPolicy(name, true, NameRegex.of(pattern), "queues", 0, definition);
	}

	static BrokerPolicy withPriority(BrokerPolicy policy, long priority) {
		return new BrokerPolicy(policy.name(), policy.operator(), policy.pattern(), policy.applyTo(), priority,
				policy.definition());
	}

	static BrokerPolicy applyTo(BrokerPolicy policy, String applyTo) {
		return new BrokerPolicy(policy.name(), policy.operator(), policy.pattern(), applyTo, policy.priority(),
				policy.definition());
	}

}
