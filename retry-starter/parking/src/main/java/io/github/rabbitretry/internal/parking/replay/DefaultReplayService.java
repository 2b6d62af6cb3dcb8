/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import org.jspecify.annotations.Nullable;

/**
 * Replays whose jobs are in the database.
 */
public final class DefaultReplayService implements ReplayService {

	/** A replay that runs changes its state a few times at most. */
	private static final int TRIES = 10;

	private final ReplayStores stores;

	private final ReplaySelections selections;

	private final DryRunReader dryRuns;

	private final ReplayWorker worker;

	/**
	 * Creates the service.
	 * @param stores where jobs are
	 * @param policies the queues that can be replayed to
	 * @param dryRuns looks at what would be replayed
	 * @param worker works on jobs
	 */
	public DefaultReplayService(ReplayStores stores, MessagePolicies policies, DryRunReader dryRuns,
			ReplayWorker worker) {
		this.stores = stores;
		this.selections = new ReplaySelections(stores, policies);
		this.dryRuns = dryRuns;
		this.worker = worker;
	}

	@Override
	public DryRun dryRun(ReplayRequest request) {
		ReplaySelections.ReplaySelection selection = this.selections.of(request);
		return this.dryRuns.read(selection, this.stores.clock().instant());
	}

	@Override
	public ReplayJob start(ReplayRequest request) {
		ReplaySelections.ReplaySelection selection = this.selections.of(request);
		ReplayJob job = this.stores.tables().selecting(() -> {
			this.stores.tables().lockSelections();
			Instant now = this.stores.clock().instant();
			StoredJob created = this.stores.jobs()
				.create(request.selected(), request.options(), request.act(), false, now);
			this.selections.select(created, selection);
			ReplayJob.Counts counts = this.stores.items().counts(created.id());
			this.stores.audit()
				.add(AuditEntry.Action.REPLAY, request.act(), new JdbcAuditLog.Facts(created.selection(),
						created.replayId(), counts.selected(), elsewhere(request.options()), null));
			return created.view(counts);
		});
		this.worker.wakeUp();
		return job;
	}

	/** The audit outlives the replay, which says so too. */
	private static @Nullable String elsewhere(ReplayOptions options) {
		return (options.target() != null)
				? "%s to '%s'".formatted(options.move() ? "moves" : "copies", options.target()) : null;
	}

	@Override
	public ReplayJob pause(String replayId, OperatorAction act) {
		return change(replayId, ReplayJob.State.PAUSED, ReplayJob.StopReason.ASKED_FOR, AuditEntry.Action.PAUSE, act);
	}

	@Override
	public ReplayJob resume(String replayId, OperatorAction act) {
		StoredJob job = this.selections.find(replayId);
		// one that has published beyond its canary does not wait for it again
		ReplayJob.Counts canary = this.stores.items().canary(job);
		boolean waits = job.options().canary() > 0
				&& this.stores.items().countClaimed(job.id()) <= job.options().canary()
				&& canary.succeeded() < canary.selected();
		return change(replayId, waits ? ReplayJob.State.CANARY : ReplayJob.State.RUNNING, null,
				AuditEntry.Action.RESUME, act);
	}

	@Override
	public ReplayJob resumeWithoutCanary(String replayId, OperatorAction act) {
		return change(replayId, ReplayJob.State.RUNNING, null, AuditEntry.Action.RESUME, act);
	}

	@Override
	public ReplayJob abort(String replayId, OperatorAction act) {
		return change(replayId, ReplayJob.State.ABORTED, ReplayJob.StopReason.ASKED_FOR, AuditEntry.Action.ABORT, act);
	}

	@Override
	public ReplayJob changeRate(String replayId, @Nullable Double rate, Duration ramp, OperatorAction act) {
		StoredJob job = this.selections.find(replayId);
		ReplayOptions options = job.options().withRate(rate, ramp);
		this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().rate(job.id(), options)) {
				throw refused(this.selections.find(replayId), AuditEntry.Action.CHANGE_RATE);
			}
			return this.stores.audit()
				.add(AuditEntry.Action.CHANGE_RATE, act, new JdbcAuditLog.Facts(null, job.replayId(), 0,
						"from %s to %s".formatted(perSecond(job.options().rate()), perSecond(rate)), null));
		});
		return job(replayId);
	}

	private static String perSecond(@Nullable Double rate) {
		return (rate != null) ? "%s per second".formatted(rate) : "unlimited";
	}

	@Override
	public ReplayJob restore(String replayId, OperatorAction act) {
		StoredJob job = this.selections.find(replayId);
		this.selections.uncertain(replayId);
		this.stores.tables().inTransaction(() -> {
			int restored = this.stores.outcomes().restore(job.id(), null);
			if (restored == 0) {
				throw ReplayRefusedException.conflict(
						"Replay %s has no messages whose outcome is uncertain".formatted(job.replayId()),
						"What it did not publish is parked; 'items' shows the outcome of each message.");
			}
			return this.stores.audit()
				.add(AuditEntry.Action.RESTORE, act, new JdbcAuditLog.Facts(null, job.replayId(), restored,
						"%s uncertain messages are parked again".formatted(restored), null));
		});
		return job(replayId);
	}

	private ReplayJob change(String replayId, ReplayJob.State to, ReplayJob.@Nullable StopReason why,
			AuditEntry.Action what, OperatorAction act) {
		StoredJob job = this.selections.find(replayId);
		int tries = 1;
		while (!changed(job, to, why, what, act)) {
			// what ends it may not fail because it was just paused, or has just passed
			// its canary
			if (tries++ == TRIES) {
				throw ReplayRefusedException.conflict("Replay %s was changed concurrently".formatted(replayId),
						"Nothing was done; try again.");
			}
			job = this.selections.find(replayId);
		}
		this.worker.wakeUp();
		return job(replayId);
	}

	/** Whether it was still as it was found. */
	private boolean changed(StoredJob job, ReplayJob.State to, ReplayJob.@Nullable StopReason why,
			AuditEntry.Action what, OperatorAction act) {
		boolean resumes = what == AuditEntry.Action.RESUME;
		if (!job.state().canBecome(to) || (resumes && job.state() != ReplayJob.State.PAUSED)) {
			throw refused(job, what);
		}
		return this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().change(job.id(), job.state(), to, why)) {
				return false;
			}
			if (!to.active()) {
				// of an instance that died; one that works on it does so itself
				this.stores.outcomes().uncertain(job.application());
			}
			this.stores.audit().add(what, act, JdbcAuditLog.Facts.of(job, this.stores.items().counts(job.id())));
			return true;
		});
	}

	private static ReplayRefusedException refused(StoredJob job, AuditEntry.Action what) {
		String done = switch (what) {
			case PAUSE -> "be paused";
			case RESUME -> "be resumed";
			case ABORT -> "be aborted";
			default -> "get another rate";
		};
		return ReplayRefusedException
			.conflict("Replay %s is %s and can't %s".formatted(job.replayId(), job.state(), done), job.state().active()
					? "Only what is paused can be resumed, and only what runs can be paused."
					: "It has ended. What it left parked is replayed by a replay of its rest (restOf, on the command line 'replay --rest-of %s')."
						.formatted(job.replayId()));
	}

	@Override
	public ReplayJob job(String replayId) {
		StoredJob job = this.selections.find(replayId);
		this.stores.outcomes().findParkedAgain(job);
		return job.view(this.stores.items().counts(job.id()));
	}

	@Override
	public List<ReplayJob> jobs(ReplayJob.@Nullable State state, int limit) {
		ReplayTables.checkPage(limit);
		return this.stores.jobs()
			.list(state, limit)
			.stream()
			.map((job) -> job.view(this.stores.items().counts(job.id())))
			.toList();
	}

	@Override
	public List<ReplayItem> items(String replayId, ReplayItem.@Nullable State state, long after, int limit) {
		ReplayTables.checkPage(limit);
		return this.stores.items().list(this.selections.find(replayId).id(), state, after, limit);
	}

}
