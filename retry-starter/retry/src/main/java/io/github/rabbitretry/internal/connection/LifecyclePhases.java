/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

/**
 * In which order everything of ours starts, from the lowest phase to the highest; it
 * stops the other way round. Spring AMQP's listeners have the highest one there is.
 */
public final class LifecyclePhases {

	/** Before anything is consumed, but for Spring Cloud Stream's bindings. */
	public static final int AFTER_BINDINGS = Integer.MAX_VALUE - 2560;

	/**
	 * Moves parked messages into the ledger: begins before anything parks, ends last.
	 */
	public static final int LEDGER = Integer.MAX_VALUE - 2048;

	/**
	 * Publishers, and the writer of outcomes: end after all that hands over, and well
	 * before connections are closed.
	 */
	public static final int PUBLISHERS = Integer.MAX_VALUE - 1536;

	/**
	 * Consumes dead letters: begins well after the topology is there, ends well after the
	 * listeners.
	 */
	public static final int DEAD_LETTERS = Integer.MAX_VALUE - 1024;

	/** Works on replays: ends before the publishers and the ledger do. */
	public static final int REPLAYS = Integer.MAX_VALUE - 512;

	private LifecyclePhases() {
	}

}
