/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * The replay or action that took a message that is no longer parked.
 *
 * @param replayId the replay that published it
 * @param auditId the audit entry of the action that discarded it
 */
public record Taken(@Nullable String replayId, @Nullable Long auditId) {

	/** Not taken, as far as is known. */
	public static final Taken NONE = new Taken(null, null);

}
