/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.FailureTrend;
import io.github.rabbitretry.parking.message.ParkedFilter;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Counts when messages of each cause were parked, in one statement. Each message is one
 * entry of an index, so their number is bounded.
 */
final class LedgerTrends {

	/** About half a second of PostgreSQL. */
	static final long MOST_MESSAGES = 1_000_000;

	private static final String COUNTS = """
			select cause, part, count(*) as rows_of_part from (
				select v.cause, floor((cast(extract(epoch from p.parked_at) as double precision) - v.begin_at) / v.length) as part
				from (values %s) v (cause, begin_at, length)
				join rabbit_retry_failure_kind k on k.cause = v.cause
				join rabbit_retry_parked p on p.kind_id = k.id
				where p.state in (:states)%s) c
			group by cause, part""";

	private static final String CAUSE = "(cast(:cause%1$d as varchar(64)), cast(:begin%1$d as double precision),"
			+ " cast(:length%1$d as double precision))";

	private final NamedParameterJdbcTemplate jdbc;

	LedgerTrends(NamedParameterJdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Small groups first: one that has too many messages hides no other. */
	List<FailureTrend> of(ParkedFilter filter, List<FailureGroup> groups, Instant now) {
		List<FailureGroup> counted = new ArrayList<>();
		long messages = 0;
		for (int place = groups.size() - 1; place >= 0
				&& messages + groups.get(place).count() <= MOST_MESSAGES; place--) {
			counted.add(groups.get(place));
			messages += groups.get(place).count();
		}
		return counted.isEmpty() ? List.of() : count(new SearchConditions(filter), counted, now);
	}

	private List<FailureTrend> count(SearchConditions conditions, List<FailureGroup> groups, Instant now) {
		MapSqlParameterSource parameters = conditions.parameters();
		Map<String, long[]> counts = new LinkedHashMap<>();
		for (int place = 0; place < groups.size(); place++) {
			FailureGroup group = groups.get(place);
			parameters.addValue("cause" + place, group.cause().id())
				.addValue("begin" + place, seconds(group.firstParkedAt()))
				.addValue("length" + place,
						(seconds(end(group, now)) - seconds(group.firstParkedAt())) / FailureTrend.PARTS);
			counts.put(group.cause().id(), new long[FailureTrend.PARTS]);
		}
		String causes = IntStream.range(0, groups.size()).mapToObj(CAUSE::formatted).collect(Collectors.joining(", "));
		this.jdbc.query(COUNTS.formatted(causes, conditions.ofRows() + conditions.ofKinds()), parameters, (row) -> {
			// rounded, or parked since then
			int part = Math.min(Math.max(row.getInt("part"), 0), FailureTrend.PARTS - 1);
			counts.get(row.getString("cause"))[part] += row.getLong("rows_of_part");
		});
		return groups.stream()
			.map((group) -> new FailureTrend(group.cause().id(), group.firstParkedAt(), end(group, now),
					Arrays.stream(counts.get(group.cause().id())).boxed().toList()))
			.toList();
	}

	private static Instant end(FailureGroup group, Instant now) {
		Instant least = group.firstParkedAt().plusSeconds(FailureTrend.PARTS);
		return now.isAfter(least) ? now : least;
	}

	private static double seconds(Instant instant) {
		return Duration.between(Instant.EPOCH, instant).toMillis() / 1000.0;
	}

}
