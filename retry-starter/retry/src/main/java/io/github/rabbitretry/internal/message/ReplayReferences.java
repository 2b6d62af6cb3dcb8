/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.Map;

import io.github.rabbitretry.event.ReplayReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads which replay a delivery comes from.
 */
public final class ReplayReferences {

	/** The longest id of a replay. */
	public static final int LONGEST_ID = 64;

	private ReplayReferences() {
	}

	/**
	 * Reads a delivery's headers. What has a wrong type or length is no mark.
	 * @param headers the headers, or {@code null} if there are none
	 * @return the mark, or {@code null} if the message was not replayed
	 */
	public static @Nullable ReplayReference of(@Nullable Map<String, ?> headers) {
		Object item = (headers != null) ? headers.get(ReplayHeaders.REPLAY_ITEM) : null;
		if (!(item instanceof Long number)) {
			return null;
		}
		String id = HeaderText.of(headers.get(ReplayHeaders.REPLAY_ID));
		return (id == null || id.isEmpty() || id.length() > LONGEST_ID) ? null : new ReplayReference(id, number);
	}

}
