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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.ParkedFilter;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Counts when messages of each cause were parked. Each message is one entry of an index,
 * so only so many are counted; of larger groups the database draws a sample.
 */
final class LedgerTrends {

	/** How many messages are counted, and how many are in a sample. */
	static final long MOST_MESSAGES = 100_000;

	private static final String COUNTS = """
			select cause, part, count(*) as rows_of_part from (
				select v.cause, floor((cast(extract(epoch from p.parked_at) as double precision) - v.begin_at) / v.length) as part
				from (values %s) v (cause, begin_at, length)
				join rabbit_retry_failure_kind k on k.cause = v.cause
				%s where true%s) c
			group by cause, part""";

	private static final String CAUSE = "(cast(:cause%1$s as varchar(64)), cast(:begin%1$s as double precision),"
			+ " cast(:length%1$s as double precision))";

	private static final String ROWS = "join rabbit_retry_parked p on p.kind_id = k.id and p.state in (:states)%s";

	/** Left to itself, PostgreSQL reads all rows rather than those of few kinds. */
	private static final String ROWS_OF_KINDS = "cross join lateral (select p.parked_at from rabbit_retry_parked p"
			+ " where p.kind_id = k.id and p.state in (:states)%s offset 0) p";

	/** In percent. The same pages each time, so that the same is seen each time. */
	private static final String SAMPLE = "join rabbit_retry_parked p tablesample system (%s) repeatable (0)"
			+ " on p.kind_id = k.id and p.state in (:states)%%s";

	private static final String ALL_ROWS = "select coalesce(sum(change), 0) from rabbit_retry_parked_count";

	private final NamedParameterJdbcTemplate jdbc;

	LedgerTrends(NamedParameterJdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Small groups are counted first. */
	List<FailureGroup.Trend> of(LedgerDialect dialect, ParkedFilter filter, List<FailureGroup> groups, Instant now) {
		List<FailureGroup> counted = new ArrayList<>();
		List<FailureGroup> sampled = new ArrayList<>();
		long messages = 0;
		for (int place = groups.size() - 1; place >= 0; place--) {
			FailureGroup group = groups.get(place);
			messages += group.count();
			((messages <= MOST_MESSAGES || !dialect.keepsCounts()) ? counted : sampled).add(group);
		}
		List<FailureGroup.Trend> trends = new ArrayList<>();
		count(filter, counted, dialect.searchesByKind() ? ROWS_OF_KINDS : ROWS, now)
			.forEach((group, parts) -> trends.add(trend(group, now, parts.boxed().toList(), true)));
		if (!sampled.isEmpty()) {
			Long all = this.jdbc.queryForObject(ALL_ROWS, Map.of(), Long.class);
			double percent = Math.min(100, 100.0 * MOST_MESSAGES / Math.max(1, (all != null) ? all : 1));
			count(filter, sampled, SAMPLE.formatted(percent), now).forEach(
					(group, parts) -> trends.add(trend(group, now, scaled(parts.toArray(), group.count()), false)));
		}
		return trends;
	}

	private static FailureGroup.Trend trend(FailureGroup group, Instant now, List<Long> parts, boolean exact) {
		return new FailureGroup.Trend(group.cause().id(), group.firstParkedAt(), end(group, now), parts, exact);
	}

	private static List<Long> scaled(long[] parts, long count) {
		double sum = Math.max(1, Arrays.stream(parts).sum());
		return Arrays.stream(parts).mapToObj((part) -> Math.round(part * count / sum)).toList();
	}

	private Map<FailureGroup, LongStream> count(ParkedFilter filter, List<FailureGroup> groups, String rows,
			Instant now) {
		if (groups.isEmpty()) {
			return Map.of();
		}
		SearchConditions conditions = new SearchConditions(filter);
		MapSqlParameterSource parameters = conditions.parameters();
		Map<String, long[]> counts = new HashMap<>();
		for (int place = 0; place < groups.size(); place++) {
			FailureGroup group = groups.get(place);
			double begin = seconds(group.firstParkedAt());
			parameters.addValue("cause" + place, group.cause().id())
				.addValue("begin" + place, begin)
				.addValue("length" + place, (seconds(end(group, now)) - begin) / FailureGroup.Trend.PARTS);
			counts.put(group.cause().id(), new long[FailureGroup.Trend.PARTS]);
		}
		String causes = IntStream.range(0, groups.size()).mapToObj(CAUSE::formatted).collect(Collectors.joining(", "));
		this.jdbc.query(COUNTS.formatted(causes, rows.formatted(conditions.ofRows()), conditions.ofKinds()), parameters,
				(row) -> {
					// rounded, or parked since then
					int part = Math.min(Math.max(row.getInt("part"), 0), FailureGroup.Trend.PARTS - 1);
					counts.get(row.getString("cause"))[part] += row.getLong("rows_of_part");
				});
		return groups.stream()
			.collect(Collectors.toMap(Function.identity(), (group) -> Arrays.stream(counts.get(group.cause().id()))));
	}

	private static Instant end(FailureGroup group, Instant now) {
		Instant least = group.firstParkedAt().plusSeconds(FailureGroup.Trend.PARTS);
		return now.isAfter(least) ? now : least;
	}

	private static double seconds(Instant instant) {
		return Duration.between(Instant.EPOCH, instant).toMillis() / 1000.0;
	}

}
