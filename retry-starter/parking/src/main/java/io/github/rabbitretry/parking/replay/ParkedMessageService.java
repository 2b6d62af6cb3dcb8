/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Other operations on parked messages. Requests that cannot be carried out throw
 * {@link ReplayRefusedException} and change nothing.
 */
public interface ParkedMessageService {

	/**
	 * Discards parked messages: they stay in the ledger until its retention deletes them,
	 * and cannot be replayed unless they are restored first. Messages parked after the
	 * call are not affected, even if they match. Messages that a replay has selected are
	 * left out, unless the request includes them.
	 * @param request the request
	 * @return the result
	 */
	Discarded discard(DiscardRequest request);

	/**
	 * Parks discarded messages again, as if they had not been discarded.
	 * @param request the request
	 * @return the result
	 */
	Discarded restore(RestoreRequest request);

	/**
	 * Returns the replay or action that removed a message from the parking lot.
	 * @param parkedId its id
	 * @return the replay or the audit entry, neither if it is parked
	 */
	Removal removal(long parkedId);

	/**
	 * Returns the actions that discarded messages.
	 * @param parkedIds their ids
	 * @return the audit entries by id, of those that are discarded
	 */
	Map<Long, AuditEntry> discards(Collection<Long> parkedIds);

	/**
	 * Returns the actions of which something can be restored.
	 * @param auditIds ids of audit entries
	 * @return those that discarded messages which are still discarded
	 */
	Set<Long> restorable(Collection<Long> auditIds);

	/**
	 * Replays one message with a new body or new headers, under a new message id. The
	 * difference is kept in the audit, and both versions in the database for as long as
	 * the ledger keeps the message.
	 * @param request the request
	 * @return the job that replays it
	 * @throws ReplayRefusedException also if {@code rabbit-retry.replay.edit-enabled} is
	 * not {@code true}
	 */
	ReplayJob editAndReplay(EditRequest request);

	/**
	 * What removed a message from the parking lot.
	 *
	 * @param replayId the replay that published it
	 * @param auditId the audit entry of the action that discarded it
	 */
	record Removal(@Nullable String replayId, @Nullable Long auditId) {

		/** Not removed, as far as is known. */
		public static final Removal NONE = new Removal(null, null);

	}

}
