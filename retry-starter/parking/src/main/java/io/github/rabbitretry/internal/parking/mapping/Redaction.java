/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.List;

import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

/**
 * Decides how much of a body is stored.
 */
public interface Redaction {

	/** Stores bodies as they are. */
	Redaction NONE = (body) -> new Stored(PayloadState.WHOLE, body);

	/** Stores no bodies. */
	Redaction OMIT = (body) -> Stored.OMITTED;

	/**
	 * Hides what some paths of JSON bodies lead to. A body in which no path leads
	 * anywhere is stored as it is; one that is no JSON is not stored at all.
	 * @param paths paths, {@code $.card.number}, {@code $.items[*].iban} or
	 * {@code $..password}
	 * @return the redaction
	 * @throws IllegalArgumentException if a path can't be understood, with the path
	 */
	static Redaction masking(List<String> paths) {
		return new JsonMasking(paths);
	}

	/**
	 * Redacts.
	 * @param body the body, not to be changed
	 * @return what to store
	 */
	Stored apply(byte[] body);

	/**
	 * What is stored of a body.
	 *
	 * @param state how much that is
	 * @param body the bytes, or {@code null} if none
	 */
	record Stored(PayloadState state, byte @Nullable [] body) {

		static final Stored OMITTED = new Stored(PayloadState.OMITTED, null);

	}

}
