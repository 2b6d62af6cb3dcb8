/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.parking.replay.ReplayRequest;

/**
 * The messages that a request for a replay means.
 *
 * @param request the request
 * @param old the replay that it names, if any
 */
record ReplaySelection(ReplayRequest request, @Nullable StoredJob old) {

	/**
	 * All of them, those included that others have reserved or that can't be replayed.
	 */
	ParkedSelection matching() {
		ParkedSelection selection = new ParkedSelection(this.request.selection().filter())
			.among(this.request.selection().ids());
		StoredJob job = this.old;
		if (job != null) {
			return (this.request.restOf() != null) ? selection.restOf(job.id()) : selection.uncertainOf(job.id());
		}
		return selection;
	}

	/** Those that nobody else has reserved, if that matters. */
	ParkedSelection free() {
		return this.request.takeReserved() ? matching() : matching().withoutReserved();
	}

	/** Those that this application can replay. */
	ParkedSelection replayable(Collection<String> queues) {
		return free().ofQueues(queues).replayable();
	}

}
