/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * What else is done with parked messages. What is asked for and can't be done throws
 * {@link ReplayRefusedException} and changes nothing.
 */
public interface ParkedMessageService {

	/**
	 * Discards parked messages: they stay in the ledger until its retention deletes them,
	 * and are not replayed unless they are restored before. What is parked after the call
	 * is not affected, even if it matches. What a replay has selected is left out, unless
	 * the request says otherwise.
	 * @param request which messages, who and why
	 * @return how many
	 */
	Discarded discard(DiscardRequest request);

	/**
	 * Parks discarded messages again, as if they had not been discarded.
	 * @param request which messages, who and why
	 * @return how many
	 */
	Discarded restore(RestoreRequest request);

	/**
	 * Who took a message that is no longer parked.
	 * @param parkedId its id
	 * @return the replay or the audit's entry, neither if it is parked
	 */
	Taken taken(long parkedId);

	/**
	 * Replays one message with another body or other headers, under a new message id. The
	 * difference is kept in the audit, both versions in the database as long as the
	 * ledger keeps the message.
	 * @param request what to change, who and why
	 * @return the job that replays it
	 * @throws ReplayRefusedException also if {@code rabbit-retry.replay.edit-enabled} is
	 * not set
	 */
	ReplayJob editAndReplay(EditRequest request);

}
