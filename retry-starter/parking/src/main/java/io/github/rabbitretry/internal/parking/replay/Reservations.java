/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;

/**
 * Messages that a replay has selected are reserved for it until it ends: nobody else
 * replays, edits or discards them unless that is said.
 */
final class Reservations {

	private final ReplayTables tables;

	Reservations(ReplayTables tables) {
		this.tables = tables;
	}

	/**
	 * Has others who select messages wait until this transaction ends. To be called in a
	 * transaction, before it selects any: what they selected before is seen then.
	 */
	void lock() {
		this.tables.lockSelections();
	}

	/**
	 * Who has reserved some of the messages of a selection.
	 * @param selection the messages
	 * @return a reservation for each replay, the oldest first
	 */
	List<Preview.Reservation> of(ParkedSelection selection) {
		return this.tables.jdbc()
			.query("select j.replay_id, j.state, j.user_name, count(*) from rabbit_retry_replay_job j"
					+ " join rabbit_retry_replay_item i on i.job_id = j.id and i.state in ('SELECTED', 'CLAIMED')"
					+ " where j.state in ('CANARY', 'RUNNING', 'PAUSED') and i.parked_id in (select p.id"
					+ selection.reserved().from() + ") group by j.id, j.replay_id, j.state, j.user_name order by j.id",
					selection.parameters(), (row, number) -> new Preview.Reservation(row.getString(1),
							ReplayJob.State.valueOf(row.getString(2)), row.getString(3), row.getLong(4)));
	}

	/** Why nothing is left of what was asked for. */
	static ReplayRefusedException allReserved(List<Preview.Reservation> reservations) {
		return ReplayRefusedException.conflict(
				"All of these messages are selected by replays: "
						+ reservations.stream().map(Preview.Reservation::toString).collect(Collectors.joining("; ")),
				"Let them end, or abort them; to take messages from them all the same, say takeReserved=true.");
	}

}
