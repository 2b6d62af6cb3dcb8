/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * What operations see of message policies.
 */
public final class TestTypes {

	private TestTypes() {
	}

	/**
	 * The topology of a message policy.
	 * @param policy the policy
	 * @return its topology
	 */
	public static TypeTopology of(MessagePolicy policy) {
		return new TypeTopology(policy.messageType(), policy.owner(), policy.topology(), policy.quarantined(),
				(policy.rejection() != null) ? policy.rejection().exchange() : null);
	}

	/**
	 * An application that consumes its dead-letter queues.
	 * @param types its message types
	 * @param declared whether it declares its topology
	 * @return the topology
	 */
	public static ApplicationTopology application(List<TypeTopology> types, boolean declared) {
		return new ApplicationTopology("orders", types, declared, true, true, false, false, Set.of("legacy.errors"));
	}

}
