/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * Who took a message that is no longer parked.
 *
 * @param replayId the replay that published it
 * @param auditId the audit's entry of the act that discarded it
 */
public record Taken(@Nullable String replayId, @Nullable Long auditId) {

	/** Nobody, as far as is known. */
	public static final Taken BY_NOBODY = new Taken(null, null);

}
