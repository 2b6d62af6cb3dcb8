/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.Collection;
import java.util.List;

/**
 * The topology that an application needs on its broker. A bean of this type is all that
 * tools for operators know of the application.
 *
 * @param application the application's name
 * @param types the topology of each message type
 * @param declared whether the application declares its topology itself
 * @param checkedAtStartup whether to examine the broker after startup
 * @param deadLettersConsumed whether the application consumes dead-letter queues
 * @param parkingLotsConsumed whether the application has a ledger, which consumes parking
 * lots
 * @param ledgerConfigured whether the application has a ledger where its database is
 */
public record ApplicationTopology(String application, List<TypeTopology> types, boolean declared,
		boolean checkedAtStartup, boolean deadLettersConsumed, boolean parkingLotsConsumed, boolean ledgerConfigured) {

	public ApplicationTopology {
		types = List.copyOf(types);
	}

	/**
	 * The topologies of message types.
	 * @param types the message types
	 * @return their topologies, in the same order
	 */
	public static List<MessageTopology> topologies(Collection<TypeTopology> types) {
		return types.stream().map(TypeTopology::topology).toList();
	}

}
