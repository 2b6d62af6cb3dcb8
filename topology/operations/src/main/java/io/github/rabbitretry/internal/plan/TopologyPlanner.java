/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.Collection;
import java.util.List;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshotReader;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * Compares the topology on the broker with the configured one and writes down the steps
 * between them.
 */
public final class TopologyPlanner {

	private final ExpectedTopology wanted;

	private final List<TypeTopology> former;

	private final BrokerAccess broker;

	/**
	 * Creates the planner.
	 * @param wanted what is configured
	 * @param former message types as they were configured before, if that is known
	 * @param broker how to reach the broker
	 */
	public TopologyPlanner(ExpectedTopology wanted, Collection<TypeTopology> former, BrokerAccess broker) {
		this.wanted = wanted;
		this.former = List.copyOf(former);
		this.broker = broker;
	}

	/**
	 * Plans, from nothing but what is configured and what is on the broker: the plan
	 * after some steps is the rest of it.
	 * @return the plan
	 * @throws io.github.rabbitretry.internal.management.ManagementUnavailableException if
	 * the management API can't be asked
	 */
	public TopologyPlan plan() {
		ManagementClient client = new ManagementClient(this.broker.management());
		BrokerSnapshot live = new BrokerSnapshotReader(client, this.wanted).read();
		return new PlannedQueues(this.wanted, this.former, live).plan();
	}

}
