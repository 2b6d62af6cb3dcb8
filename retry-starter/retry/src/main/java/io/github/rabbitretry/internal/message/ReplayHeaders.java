/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

/**
 * The headers of a replayed message, beside the {@code x-app-} ones.
 */
public final class ReplayHeaders {

	/** That the message was replayed, {@code true}. */
	public static final String REPLAYED = "x-replayed";

	/** Which replay it was. */
	public static final String REPLAY_ID = "x-replay-id";

	/** Which message of the replay it is, a long: its id in the ledger. */
	public static final String REPLAY_ITEM = "x-replay-item";

	/** Who replayed it. */
	public static final String REPLAYED_BY = "x-replayed-by";

	/** Why it was replayed. */
	public static final String REPLAY_REASON = "x-replay-reason";

	/** Broker attempts made before, over all earlier parkings, an int. */
	public static final String ORIGINAL_DEATH_COUNT = "x-original-death-count";

	/** How often the message was replayed, this time included, an int. */
	public static final String REPLAY_COUNT = AppHeaders.PREFIX + "replayed-count";

	/** When the message failed first of all, ISO-8601 in UTC. */
	public static final String EARLIEST_FAILURE_AT = AppHeaders.PREFIX + "replayed-first-failure-at";

	/** Why it was parked last. */
	public static final String PARKED_REASON = AppHeaders.PREFIX + "replayed-reason";

	/** When it was parked last, ISO-8601 in UTC. */
	public static final String PARKED_AT = AppHeaders.PREFIX + "replayed-parked-at";

	/** The message id before the message was edited. */
	public static final String EDITED_MESSAGE_ID = AppHeaders.PREFIX + "edited-message-id";

	private ReplayHeaders() {
	}

}
