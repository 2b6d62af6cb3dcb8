/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

/**
 * Called by replays, on their own thread. Metrics are the implementation.
 */
public interface ReplayListener {

	/** Ignores everything. */
	ReplayListener NONE = new ReplayListener() {
	};

	/**
	 * The broker confirmed replayed messages.
	 * @param messageType the message type
	 * @param count how many
	 */
	default void published(String messageType, int count) {
	}

	/**
	 * A message can't be published as it was.
	 * @param messageType the message type
	 */
	default void failed(String messageType) {
	}

}
