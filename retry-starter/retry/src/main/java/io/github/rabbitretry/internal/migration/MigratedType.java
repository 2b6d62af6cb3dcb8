/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.List;

import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * A message type's topology, as it is to be and as it was.
 *
 * @param wanted as it is configured
 * @param former as it was configured, or {@code null} if that is not known
 */
public record MigratedType(MessageTopology wanted, @Nullable MessageTopology former) {

	/** What names may come from: the former configuration's first. */
	List<TopologyBasis> bases() {
		TopologyBasis derived = TopologyBasis.derived(this.wanted.queue());
		return (this.former != null) ? List.of(TopologyBasis.of(this.former), TopologyBasis.of(this.wanted), derived)
				: List.of(TopologyBasis.of(this.wanted), derived);
	}

}
