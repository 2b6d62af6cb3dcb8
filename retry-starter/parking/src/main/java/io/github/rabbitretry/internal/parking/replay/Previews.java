/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;

/**
 * Looks at what something would be done with. Messages that a replay has selected are
 * reserved for it until it ends: no other job replays, edits or discards them unless that
 * is said.
 */
final class Previews {

	private final ReplayTables tables;

	private final Ledger ledger;

	Previews(ReplayTables tables, Ledger ledger) {
		this.tables = tables;
		this.ledger = ledger;
	}

	/**
	 * Looks at messages.
	 * @param chosen those that would be taken, were there no maximum
	 * @param matching the same, those included that are reserved
	 * @param selected the selection as people write it
	 */
	Preview of(Supplier<ParkedSelection> chosen, ParkedSelection matching, String selected) {
		return this.tables.selecting(() -> {
			Map<String, Long> owners = owners(chosen.get());
			long count = owners.values().stream().mapToLong(Long::longValue).sum();
			return new Preview(count, Expectation.token(count, selected), samples(chosen.get()), owners,
					reservations(matching));
		});
	}

	private Map<String, Long> owners(ParkedSelection selection) {
		Map<String, Long> owners = new HashMap<>();
		this.tables.jdbc()
			.query("select k.owner_team, count(*)" + selection.from() + " group by k.owner_team",
					selection.parameters(), (row) -> {
						owners.put(row.getString(1), row.getLong(2));
					});
		return owners;
	}

	private List<ParkedSummary> samples(ParkedSelection selection) {
		MapSqlParameterSource parameters = selection.parameters().addValue("samples", Preview.SAMPLES);
		List<Long> ids = this.tables.jdbc()
			.queryForList("select p.id" + selection.from() + " order by p.parked_at, p.id limit :samples", parameters,
					Long.class);
		Map<Long, ParkedSummary> found = new HashMap<>();
		this.ledger.find(ids)
			.stream()
			.map(ParkedMessage::summary)
			.forEach((summary) -> found.put(summary.id(), summary));
		return ids.stream().filter(found::containsKey).map(found::get).toList();
	}

	/**
	 * Who has reserved some of the messages of a selection.
	 * @param selection the messages
	 * @return a reservation for each replay, the oldest first
	 */
	List<Preview.Reservation> reservations(ParkedSelection selection) {
		return this.tables.jdbc()
			.query("select j.replay_id, j.state, j.user_name, count(*) from rabbit_retry_replay_job j"
					+ " join rabbit_retry_replay_item i on i.job_id = j.id and i.state in ('SELECTED', 'CLAIMED')"
					+ " join (select p.id" + selection.reserved().from() + ") s on s.id = i.parked_id"
					+ " where j.state in ('CANARY', 'RUNNING', 'PAUSED')"
					+ " group by j.id, j.replay_id, j.state, j.user_name order by j.id", selection.parameters(),
					(row, number) -> new Preview.Reservation(row.getString(1),
							ReplayJob.State.valueOf(row.getString(2)), row.getString(3), row.getLong(4)));
	}

	/** Why nothing is left of the selection. */
	static ReplayRefusedException allReserved(List<Preview.Reservation> reservations) {
		return ReplayRefusedException.conflict(
				"All of these messages are selected by replays: "
						+ reservations.stream().map(Preview.Reservation::toString).collect(Collectors.joining("; ")),
				"Let them end, or abort them; to take messages from them all the same, say takeReserved=true.");
	}

}
