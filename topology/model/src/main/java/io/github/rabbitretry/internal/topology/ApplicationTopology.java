/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The topology that an application needs on its broker. A bean of this type is all that
 * tools for operators know of the application.
 *
 * @param application the application's name
 * @param current provides the topology of each message type, which changes only where the
 * policies of several services are read from elsewhere
 * @param declared whether the application declares its topology itself
 * @param checkedAtStartup whether to examine the broker after startup
 * @param deadLettersConsumed whether the application consumes dead-letter queues
 * @param parkingLotsConsumed whether the application has a ledger, which consumes parking
 * lots
 * @param ledgerConfigured whether the application has a ledger where its database is
 * @param adopted dead-letter queues of others that the ledger consumes
 */
public record ApplicationTopology(String application, Supplier<List<TypeTopology>> current, boolean declared,
		boolean checkedAtStartup, boolean deadLettersConsumed, boolean parkingLotsConsumed, boolean ledgerConfigured,
		Set<String> adopted) {

	/**
	 * Creates the topology of an application with policies of its own.
	 * @param application the application's name
	 * @param types the topology of each message type
	 * @param declared whether the application declares its topology itself
	 * @param checkedAtStartup whether to examine the broker after startup
	 * @param deadLettersConsumed whether the application consumes dead-letter queues
	 * @param parkingLotsConsumed whether the application has a ledger, which consumes
	 * parking lots
	 * @param ledgerConfigured whether the application has a ledger where its database is
	 * @param adopted dead-letter queues of others that the ledger consumes
	 */
	public ApplicationTopology(String application, List<TypeTopology> types, boolean declared, boolean checkedAtStartup,
			boolean deadLettersConsumed, boolean parkingLotsConsumed, boolean ledgerConfigured, Set<String> adopted) {
		this(application, constant(List.copyOf(types)), declared, checkedAtStartup, deadLettersConsumed,
				parkingLotsConsumed, ledgerConfigured, Set.copyOf(adopted));
	}

	private static Supplier<List<TypeTopology>> constant(List<TypeTopology> types) {
		return () -> types;
	}

	/**
	 * The topology of each message type at the moment.
	 * @return the topologies
	 */
	public List<TypeTopology> types() {
		return List.copyOf(this.current.get());
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
