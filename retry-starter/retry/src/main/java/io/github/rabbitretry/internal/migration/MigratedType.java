/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import org.jspecify.annotations.Nullable;

/**
 * A message type's topology, as it is to be and as it was.
 *
 * @param wanted as it is configured
 * @param former as it was configured, or {@code null} if that is not known
 */
public record MigratedType(MessageTopology wanted, @Nullable MessageTopology former) {

	/**
	 * Whether queues may be ours that have none of our arguments but their type: anybody
	 * may declare such.
	 */
	boolean minimal() {
		return Stream.of(this.wanted, Objects.requireNonNullElse(this.former, this.wanted))
			.flatMap((topology) -> topology.ownQueues().stream())
			.anyMatch(QueueModel::minimal);
	}

	/** What names may come from: the former configuration's first. */
	List<TopologyBasis> bases() {
		TopologyBasis derived = TopologyBasis.derived(this.wanted.queue());
		return (this.former != null) ? List.of(TopologyBasis.of(this.former), TopologyBasis.of(this.wanted), derived)
				: List.of(TopologyBasis.of(this.wanted), derived);
	}

}
