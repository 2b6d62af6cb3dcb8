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

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.Preview;

/**
 * Looks at what something would be done with.
 */
final class Previews {

	private final ReplayTables tables;

	private final Reservations reservations;

	private final Ledger ledger;

	Previews(ReplayTables tables, Reservations reservations, Ledger ledger) {
		this.tables = tables;
		this.reservations = reservations;
		this.ledger = ledger;
	}

	/**
	 * Looks at messages.
	 * @param meant those that would be taken, were there no maximum
	 * @param matching the same, those included that are reserved
	 * @param selected the selection as people write it
	 */
	Preview of(Supplier<ParkedSelection> meant, ParkedSelection matching, String selected) {
		return this.tables.selecting(() -> {
			Map<String, Long> owners = owners(meant.get());
			long count = owners.values().stream().mapToLong(Long::longValue).sum();
			return new Preview(count, Expectation.token(count, selected), samples(meant.get()), owners,
					this.reservations.of(matching));
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

}
