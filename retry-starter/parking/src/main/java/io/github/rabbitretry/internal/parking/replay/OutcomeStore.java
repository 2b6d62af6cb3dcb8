/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.rabbitretry.parking.replay.ReplayItem;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * What became of the messages of jobs, in the end or as far as is known. Rows of one job
 * are always changed in the order of their ids in the ledger, as {@link ItemStore} does.
 */
final class OutcomeStore {

	private final ReplayTables tables;

	OutcomeStore(ReplayTables tables) {
		this.tables = tables;
	}

	/** What is neither confirmed nor refused when a job ends is perhaps published. */
	void uncertain(long jobId) {
		this.tables.update("update rabbit_retry_replay_item set state = 'UNCERTAIN', state_at = current_timestamp"
				+ " where job_id = :job and state = 'CLAIMED'", Map.of("job", jobId));
	}

	/** What a dead instance left of ended jobs is perhaps published. */
	int uncertain(String application) {
		return this.tables.update(
				"update rabbit_retry_replay_item set state = 'UNCERTAIN', state_at = current_timestamp"
						+ " where state = 'CLAIMED'"
						+ " and job_id in (select id from rabbit_retry_replay_job where application = :application"
						+ " and state in ('STOPPED', 'ABORTED') and " + JobStore.FREE + ")",
				Map.of("application", application));
	}

	/**
	 * Parks again what a job that has ended perhaps published. To be called in a
	 * transaction.
	 * @param jobId the job
	 * @param among a job that has selected those that are meant, or {@code null} for all
	 * @return how many
	 */
	int restore(long jobId, @Nullable Long among) {
		String which = " where job_id = :job and state = 'UNCERTAIN' and parked_id in (select p.id from rabbit_retry_parked p"
				+ " where p.state = 'REPLAYED')"
				+ ((among != null) ? " and parked_id in (select n.parked_id from rabbit_retry_replay_item n"
						+ " where n.job_id = :among)" : "");
		MapSqlParameterSource parameters = new MapSqlParameterSource("job", jobId).addValue("among", among);
		// locks them, so that of two only one does it
		List<Long> ids = this.tables.selecting(() -> this.tables.jdbc()
			.queryForList("select parked_id from rabbit_retry_replay_item" + which + " order by parked_id for update",
					parameters, Long.class));
		ReplayTables.inChunks(ids,
				(some) -> this.tables.update(
						"update rabbit_retry_replay_item set state = 'RESTORED', state_at = current_timestamp"
								+ " where job_id = :job and parked_id in (:chunk)",
						parameters.addValue("chunk", some)));
		ReplayTables.inChunks(ids, (some) -> this.tables.update(
				"update rabbit_retry_parked set state = 'PARKED' where id in (:chunk) and state || '' = 'REPLAYED'",
				parameters.addValue("chunk", some)));
		return ids.size();
	}

	/**
	 * Writes outcomes down, each where it can still be one.
	 * @param outcomes the outcomes
	 */
	void write(Collection<Outcome> outcomes) {
		outcomes.stream().collect(Collectors.groupingBy(Outcome::state)).forEach((to, some) -> {
			List<ReplayItem.State> from = Arrays.stream(ReplayItem.State.values())
				.filter((state) -> state.canBecome(to))
				.toList();
			some.stream()
				.collect(Collectors.groupingBy(Outcome::jobId, TreeMap::new,
						Collectors.mapping(Outcome::parkedId, Collectors.toList())))
				.forEach((job, parkedIds) -> this.tables.changeItems(job, parkedIds, from, to));
		});
	}

	/**
	 * Finds messages in the ledger that were parked again, by any instance.
	 * @param job the job
	 */
	void findParkedAgain(StoredJob job) {
		List<Outcome> found = this.tables.jdbc()
			.query("select distinct i.parked_id from rabbit_retry_parked p join rabbit_retry_replay_item i"
					+ " on i.job_id = :job and i.parked_id = p.replay_item"
					+ " and i.state in ('CLAIMED', 'PUBLISHED', 'UNCERTAIN', 'RESTORED', 'SUCCEEDED', 'DISCARDED')"
					+ " where p.replay_id = :replay", Map.of("job", job.id(), "replay", job.replayId()),
					(row, number) -> new Outcome(job.id(), row.getLong(1), ReplayItem.State.PARKED_AGAIN));
		if (!found.isEmpty()) {
			write(found);
		}
	}

	/**
	 * What became of one message.
	 *
	 * @param jobId the job
	 * @param parkedId its id in the ledger
	 * @param state the outcome
	 */
	record Outcome(long jobId, long parkedId, ReplayItem.State state) {
	}

}
