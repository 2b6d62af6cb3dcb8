/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.publication.BatchResult;
import io.github.rabbitretry.internal.parking.publication.ClaimedItem;
import io.github.rabbitretry.parking.replay.ParkedMessageService;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.jspecify.annotations.Nullable;

/**
 * The messages of jobs. Rows of one job are always changed in the order of their ids in
 * the ledger, or two who change the same ones could wait for each other for ever.
 */
final class ItemStore {

	// where ids are given, "state || ''" keeps PostgreSQL from reading all that its index
	// of states has in a state

	/** What the column holds. */
	private static final int LONGEST_DETAIL = 1024;

	/** In one turn, beyond those that may be claimed. */
	private static final int MOST_SKIPPED = 1000;

	private final ReplayTables tables;

	ItemStore(ReplayTables tables) {
		this.tables = tables;
	}

	/** Selects a job's messages, oldest first, in one statement. */
	long select(long jobId, ParkedSelection selection, long maximum) {
		String sql = "insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at)"
				+ " select cast(:job as bigint), row_number() over (order by s.parked_at, s.id), s.id, 'SELECTED',"
				+ " current_timestamp from (select p.parked_at, p.id" + selection.from()
				+ " order by p.parked_at, p.id limit :maximum) s";
		return this.tables.update(sql, selection.parameters().addValue("job", jobId).addValue("maximum", maximum));
	}

	/** How many messages there are, whatever a job has selected of them. */
	long count(ParkedSelection selection) {
		Long count = this.tables.jdbc()
			.queryForObject("select count(*)" + selection.from(), selection.parameters(), Long.class);
		return (count != null) ? count : 0;
	}

	ReplayJob.Counts counts(long jobId) {
		return counts("select state, count(*) from rabbit_retry_replay_item where job_id = :job group by state",
				Map.of("job", jobId));
	}

	/**
	 * Counts a canary: the first messages of a job, but for those that were not there any
	 * more, whose places the next ones take.
	 */
	ReplayJob.Counts canary(StoredJob job) {
		return counts(
				"select c.state, count(*) from (select state from rabbit_retry_replay_item where job_id = :job"
						+ " and state <> 'SKIPPED' order by seq limit :canary) c group by c.state",
				Map.of("job", job.id(), "canary", job.options().canary()));
	}

	private ReplayJob.Counts counts(String sql, Map<String, ?> parameters) {
		Map<ReplayItem.State, Long> counts = new EnumMap<>(ReplayItem.State.class);
		this.tables.jdbc().query(sql, parameters, (row) -> {
			counts.put(ReplayItem.State.valueOf(row.getString(1)), row.getLong(2));
		});
		return new ReplayJob.Counts(counts.values().stream().mapToLong(Long::longValue).sum(),
				counts.getOrDefault(ReplayItem.State.SELECTED, 0L), counts.getOrDefault(ReplayItem.State.CLAIMED, 0L),
				counts.getOrDefault(ReplayItem.State.PUBLISHED, 0L),
				counts.getOrDefault(ReplayItem.State.UNCERTAIN, 0L),
				counts.getOrDefault(ReplayItem.State.SUCCEEDED, 0L),
				counts.getOrDefault(ReplayItem.State.PARKED_AGAIN, 0L),
				counts.getOrDefault(ReplayItem.State.DISCARDED, 0L), counts.getOrDefault(ReplayItem.State.SKIPPED, 0L),
				counts.getOrDefault(ReplayItem.State.FAILED, 0L), counts.getOrDefault(ReplayItem.State.RESTORED, 0L));
	}

	List<ReplayItem> list(long jobId, ReplayItem.@Nullable State state, long after, int limit) {
		List<String> states = (state != null) ? List.of(state.name())
				: Arrays.stream(ReplayItem.State.values()).map(Enum::name).toList();
		return this.tables.jdbc()
			.query("select seq, parked_id, state, state_at, published_at, detail from rabbit_retry_replay_item"
					+ " where job_id = :job and seq > :after and state in (:states) order by seq limit :limit",
					Map.of("job", jobId, "after", after, "states", states, "limit", limit),
					(row, number) -> new ReplayItem(row.getLong(1), row.getLong(2),
							ReplayItem.State.valueOf(row.getString(3)),
							row.getObject(4, OffsetDateTime.class).toInstant(),
							ReplayTables.instant(row.getObject(5, OffsetDateTime.class)), row.getString(6)));
	}

	/**
	 * How many messages were ever claimed, but for those that were not there any more.
	 */
	long countClaimed(long jobId) {
		Long claimed = this.tables.jdbc()
			.queryForObject(
					"select count(*) from rabbit_retry_replay_item where job_id = :job and state not in ('SELECTED', 'SKIPPED')",
					Map.of("job", jobId), Long.class);
		return (claimed != null) ? claimed : 0;
	}

	/** The last replay that published it, or the act that discarded it. */
	ParkedMessageService.Removal removal(long parkedId) {
		return this.tables.jdbc()
			.query("select p.audit_id, (select max(j.id) from rabbit_retry_replay_job j where p.state = 'REPLAYED'"
					+ " and exists (select 1 from rabbit_retry_replay_item i where i.job_id = j.id"
					+ " and i.parked_id = p.id and i.state not in ('SELECTED', 'SKIPPED', 'FAILED', 'RESTORED')))"
					+ " from rabbit_retry_parked p where p.id = :id and p.state <> 'PARKED'", Map.of("id", parkedId),
					(row, number) -> new long[] { row.getLong(1), row.getLong(2) })
			.stream()
			.findFirst()
			.map((found) -> (found[1] != 0) ? new ParkedMessageService.Removal(replayId(found[1]), null)
					: new ParkedMessageService.Removal(null, (found[0] != 0) ? found[0] : null))
			.orElse(ParkedMessageService.Removal.NONE);
	}

	private @Nullable String replayId(long job) {
		return this.tables.jdbc()
			.queryForObject("select replay_id from rabbit_retry_replay_job where id = :job", Map.of("job", job),
					String.class);
	}

	/** What was being published when an instance ended. */
	List<ClaimedItem> claimed(long jobId) {
		return inState(jobId, ReplayItem.State.CLAIMED, 0, Integer.MAX_VALUE);
	}

	private List<ClaimedItem> inState(long jobId, ReplayItem.State state, long from, int limit) {
		return this.tables.jdbc()
			.query("select seq, parked_id from rabbit_retry_replay_item where job_id = :job and state = :state"
					+ " and seq >= :from order by seq limit :limit",
					Map.of("job", jobId, "state", state.name(), "from", from, "limit", limit),
					(row, number) -> new ClaimedItem(row.getLong(1), row.getLong(2)));
	}

	/** As long as there are others from there on, those before it need not be read. */
	private List<ClaimedItem> waiting(long jobId, long from, int limit) {
		List<ClaimedItem> next = inState(jobId, ReplayItem.State.SELECTED, from, limit);
		return (next.isEmpty() && from > 0) ? inState(jobId, ReplayItem.State.SELECTED, 0, limit) : next;
	}

	/**
	 * Claims the next messages. To be called in a transaction of who has the lease.
	 * @param job the job
	 * @param from the sequence to begin with; those before it have their turn once there
	 * are no others
	 * @param limit how many
	 * @return those that are still parked, and whether there were any at all
	 */
	ClaimedBatch claim(StoredJob job, long from, int limit) {
		List<ClaimedItem> next = (limit > 0) ? waiting(job.id(), from, limit) : List.of();
		if (next.isEmpty()) {
			return new ClaimedBatch(job.state(), List.of(), true, 0);
		}
		Set<Long> parked = stillParked(next, job.forInspection());
		List<ClaimedItem> claimed = next.stream().filter((item) -> parked.contains(item.parkedId())).toList();
		change(job.id(), claimed, ReplayItem.State.SELECTED, ReplayItem.State.CLAIMED);
		skip(job.id(), next.stream().filter((item) -> !parked.contains(item.parkedId())).toList());
		long end = next.get(next.size() - 1).sequence() + 1;
		return new ClaimedBatch(job.state(), claimed, false, claimed.isEmpty() ? skipTaken(job.id(), end) : end);
	}

	/** However few may be claimed at once, those that were taken count for nothing. */
	private long skipTaken(long jobId, long from) {
		List<ClaimedItem> next = inState(jobId, ReplayItem.State.SELECTED, from, MOST_SKIPPED);
		Set<Long> parked = parked(next, "");
		List<ClaimedItem> taken = next.stream().takeWhile((item) -> !parked.contains(item.parkedId())).toList();
		skip(jobId, taken);
		return taken.isEmpty() ? from : taken.get(taken.size() - 1).sequence() + 1;
	}

	/** Says why, too: who looks at the job wants to know where its messages are. */
	private void skip(long jobId, List<ClaimedItem> items) {
		if (items.isEmpty()) {
			return;
		}
		change(jobId, items, ReplayItem.State.SELECTED, ReplayItem.State.SKIPPED);
		this.tables.update(
				"update rabbit_retry_replay_item set detail = case (select p.state from rabbit_retry_parked p where p.id = parked_id)"
						+ " when 'DISCARDED' then 'it was discarded' when 'REPLAYED' then 'another replay took it'"
						+ " else 'it is not in the ledger any more' end"
						+ " where job_id = :job and seq in (:sequences) and state = 'SKIPPED'",
				Map.of("job", jobId, "sequences", items.stream().map(ClaimedItem::sequence).toList()));
	}

	private Set<Long> stillParked(List<ClaimedItem> items, boolean forInspection) {
		Set<Long> parked = parked(items, forInspection ? "" : " for update");
		if (!forInspection && !parked.isEmpty()) {
			this.tables.update("update rabbit_retry_parked set state = 'REPLAYED' where id in (:ids)",
					Map.of("ids", parked));
		}
		return parked;
	}

	private Set<Long> parked(List<ClaimedItem> items, String lock) {
		if (items.isEmpty()) {
			return Set.of();
		}
		return new HashSet<>(this.tables.jdbc()
			.queryForList("select id from rabbit_retry_parked where id in (:ids) and state || '' = 'PARKED' order by id"
					+ lock, Map.of("ids", items.stream().map(ClaimedItem::parkedId).toList()), Long.class));
	}

	/**
	 * Writes down what became of a batch. To be called in the same transaction. What was
	 * written down before, if only the commit was not confirmed, is left as it is.
	 */
	void settle(StoredJob job, BatchResult result) {
		List<ClaimedItem> back = new ArrayList<>(result.unpublished());
		back.addAll(result.returned());
		List<ClaimedItem> parked = new ArrayList<>(back);
		parked.addAll(result.failed().keySet());
		if (!parked.isEmpty() && !job.forInspection()) {
			this.tables.update(
					"update rabbit_retry_parked set state = 'PARKED' where state || '' = 'REPLAYED' and id in (select i.parked_id"
							+ " from rabbit_retry_replay_item i where i.job_id = :job and i.state = 'CLAIMED'"
							+ " and i.parked_id in (:ids))",
					Map.of("job", job.id(), "ids", parked.stream().map(ClaimedItem::parkedId).toList()));
		}
		if (job.options().move()) {
			moved(job, result.published());
		}
		change(job.id(), result.published(), ReplayItem.State.CLAIMED, ReplayItem.State.PUBLISHED);
		// never published: as if it had not been its turn
		change(job.id(), back, ReplayItem.State.CLAIMED, ReplayItem.State.SELECTED);
		change(job.id(), List.copyOf(result.failed().keySet()), ReplayItem.State.CLAIMED, ReplayItem.State.FAILED);
		result.failed()
			.forEach((item, why) -> this.tables.update(
					"update rabbit_retry_replay_item set detail = :why where job_id = :job and seq = :seq"
							+ " and state = 'FAILED'",
					Map.of("job", job.id(), "seq", item.sequence(), "why", HeaderText.bounded(why, LONGEST_DETAIL))));
	}

	/**
	 * Another queue reports no outcomes: that it has the messages is all that is known.
	 */
	private void moved(StoredJob job, List<ClaimedItem> items) {
		if (!items.isEmpty()) {
			change(job.id(), items, ReplayItem.State.CLAIMED, ReplayItem.State.SUCCEEDED);
			this.tables.update(
					"update rabbit_retry_replay_item set detail = :detail where job_id = :job and seq in (:sequences)"
							+ " and state = 'SUCCEEDED'",
					Map.of("job", job.id(), "sequences", items.stream().map(ClaimedItem::sequence).toList(), "detail",
							"moved to '%s'".formatted(job.options().target())));
		}
	}

	private void change(long jobId, List<ClaimedItem> items, ReplayItem.State from, ReplayItem.State to) {
		this.tables.changeItems(jobId, items.stream().map(ClaimedItem::parkedId).toList(), List.of(from), to);
	}

	/**
	 * What is to be done next.
	 *
	 * @param state where the job stands
	 * @param claimed what to publish
	 * @param exhausted whether nothing was left to be claimed
	 * @param next the sequence after the last that was looked at, 0 if none was
	 */
	record ClaimedBatch(ReplayJob.State state, List<ClaimedItem> claimed, boolean exhausted, long next) {

		/** Another instance works on the job. */
		static final ClaimedBatch LOST = new ClaimedBatch(ReplayJob.State.ABORTED, List.of(), false, 0);

	}

}
