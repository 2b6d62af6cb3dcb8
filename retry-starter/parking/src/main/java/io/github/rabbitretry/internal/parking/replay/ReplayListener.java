/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.parking.replay.ReplayJob;

/**
 * Is told what replays do. Metrics are one implementation; so is any bean of this type.
 * Callbacks run on the replay's thread; an exception is logged and touches nothing else.
 */
public interface ReplayListener {

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

	/**
	 * A replay was paused or ended, by itself or by somebody.
	 * @param replayId the replay
	 * @param state where it stands now
	 */
	default void changed(String replayId, ReplayJob.State state) {
	}

}
