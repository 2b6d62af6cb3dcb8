/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Deletes replays that ended long ago, and what is known of each of their messages. The
 * audit keeps what was done, and the ledger its messages.
 */
final class ReplayRetention {

	private static final Log logger = LogFactory.getLog(ReplayRetention.class);

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	private final ReplayTables tables;

	private final String application;

	private final InstantSource clock;

	ReplayRetention(ReplayTables tables, String application, InstantSource clock) {
		this.tables = tables;
		this.application = application;
		this.clock = clock;
	}

	/**
	 * Deletes what is too old now.
	 * @param retention how long after its end a replay is kept
	 * @param stopping whether to leave the rest for another time
	 * @return how many replays that were
	 */
	int deleteOld(Duration retention, BooleanSupplier stopping) {
		NamedParameterJdbcTemplate jdbc = this.tables.jdbc();
		Instant before = this.clock.instant().minus(retention);
		List<Long> old = jdbc.queryForList("select id from rabbit_retry_replay_job where application = :application"
				+ " and state in ('STOPPED', 'ABORTED', 'FINISHED', 'INCOMPLETE') and ended_at < :before order by id",
				Map.of("application", this.application, "before", ReplayTables.utc(before)), Long.class);
		int deleted = 0;
		for (Long job : old) {
			Progress progress = Progress.MORE;
			while (progress == Progress.MORE && !stopping.getAsBoolean()) {
				progress = this.tables.inTransaction(() -> portion(job));
			}
			deleted += (progress == Progress.DELETED) ? 1 : 0;
		}
		if (deleted > 0) {
			logger.info("Deleted %s replays that ended before %s".formatted(deleted, before));
		}
		return deleted;
	}

	/** The instance that locks the job's row deletes; others leave the job to it. */
	private Progress portion(long job) {
		Map<String, Object> parameters = Map.of("job", job);
		if (this.tables.jdbc()
			.queryForList("select id from rabbit_retry_replay_job where id = :job for update skip locked", parameters,
					Long.class)
			.isEmpty()) {
			return Progress.BY_ANOTHER;
		}
		Long first = this.tables.jdbc()
			.queryForObject("select min(seq) from rabbit_retry_replay_item where job_id = :job", parameters,
					Long.class);
		if (first != null) {
			this.tables.update("delete from rabbit_retry_replay_item where job_id = :job and seq < :end",
					Map.of("job", job, "end", first + PORTION));
			return Progress.MORE;
		}
		this.tables.update("delete from rabbit_retry_replay_edit where job_id = :job", parameters);
		this.tables.update("delete from rabbit_retry_replay_job where id = :job", parameters);
		return Progress.DELETED;
	}

	private enum Progress {

		MORE, DELETED, BY_ANOTHER

	}

}
