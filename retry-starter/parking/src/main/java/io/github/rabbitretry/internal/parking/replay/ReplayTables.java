/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.LedgerTransactions;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayService;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * The way to the tables. They are created or verified before the first use, since the
 * database may be away when the application starts.
 */
final class ReplayTables extends LedgerTransactions {

	/** PostgreSQL's code, which Spring does not know. */
	private static final String LOCK_TIMEOUT = "55P03";

	private static final int CHUNK = 1000;

	/**
	 * With "+ 0", PostgreSQL reads the range of its index whatever its statistics say of
	 * the job; by the list it would read all rows of a job that it takes for small.
	 */
	private static final String CHUNK_OF_JOB = " where job_id = :job and parked_id between :first and :last"
			+ " and parked_id + 0 in (:chunk)";

	private static final Set<ReplayItem.State> NEVER_PUBLISHED = Set.of(ReplayItem.State.SELECTED,
			ReplayItem.State.CLAIMED, ReplayItem.State.SKIPPED, ReplayItem.State.FAILED);

	ReplayTables(LedgerSchema schema) {
		super(schema);
	}

	/** As {@link #update(String, SqlParameterSource)}. */
	int update(String sql, Map<String, ?> parameters) {
		return update(sql, new MapSqlParameterSource(parameters));
	}

	/**
	 * Runs something that selects messages in one transaction, as
	 * {@link LedgerTransactions#prepareSelections()} says.
	 * @throws ReplayRefusedException if the database ended it
	 */
	<T> T selecting(Supplier<T> work) {
		try {
			return inTransaction(() -> {
				prepareSelections();
				return work.get();
			});
		}
		catch (QueryTimeoutException ex) {
			throw ReplayRefusedException.conflict("The database ended it, since it took too long",
					"Nothing was changed; try again, or select fewer messages.");
		}
		catch (UncategorizedSQLException ex) {
			SQLException reason = ex.getSQLException();
			if (reason == null || !LOCK_TIMEOUT.equals(reason.getSQLState())) {
				throw ex;
			}
			throw ReplayRefusedException.conflict("Another request is changing messages and did not end in time",
					"Nothing was changed; try again.");
		}
	}

	/**
	 * Changes the state of a job's messages, all in one transaction. Their rows are
	 * locked in the order of their ids in the ledger, so that two who change the same
	 * ones never wait for each other.
	 * @param jobId the job
	 * @param parkedIds ids in the ledger
	 * @param from those in another state are left as they are
	 * @param to the new state
	 */
	void changeItems(long jobId, List<Long> parkedIds, Collection<ReplayItem.State> from, ReplayItem.State to) {
		String published = NEVER_PUBLISHED.contains(to) ? ""
				: ", published_at = coalesce(published_at, current_timestamp)";
		MapSqlParameterSource parameters = new MapSqlParameterSource("job", jobId)
			.addValue("from", from.stream().map(Enum::name).toList())
			.addValue("to", to.name());
		inTransaction(() -> inChunks(parkedIds, (some) -> {
			List<Long> locked = jdbc().queryForList(
					"select parked_id from rabbit_retry_replay_item" + CHUNK_OF_JOB
							+ " and state || '' in (:from) order by parked_id for update",
					chunk(parameters, some), Long.class);
			return locked.isEmpty() ? 0 : update("update rabbit_retry_replay_item set state = :to,"
					+ " state_at = current_timestamp" + published + CHUNK_OF_JOB, chunk(parameters, locked));
		}));
	}

	private static MapSqlParameterSource chunk(MapSqlParameterSource parameters, List<Long> sorted) {
		return parameters.addValue("chunk", sorted)
			.addValue("first", sorted.get(0))
			.addValue("last", sorted.get(sorted.size() - 1));
	}

	/**
	 * Changes rows, in the order of their ids, so that two who change the same rows never
	 * wait for each other. PostgreSQL takes 65,535 parameters.
	 * @param ids which rows
	 * @param change changes some of them and says how many it changed
	 * @return how many were changed
	 */
	static int inChunks(List<Long> ids, ToIntFunction<List<Long>> change) {
		List<Long> sorted = ids.stream().sorted().toList();
		int changed = 0;
		for (int from = 0; from < sorted.size(); from += CHUNK) {
			changed += change.applyAsInt(sorted.subList(from, Math.min(from + CHUNK, sorted.size())));
		}
		return changed;
	}

	static void checkPage(int limit) {
		if (limit < 1 || limit > ReplayService.LARGEST_PAGE) {
			throw ReplayRefusedException.invalid("limit", "is " + limit, "It must be from 1 to 1000.");
		}
	}

	static OffsetDateTime utc(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

	static @Nullable Instant instant(@Nullable OffsetDateTime value) {
		return (value != null) ? value.toInstant() : null;
	}

}
