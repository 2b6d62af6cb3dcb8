/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * Replays whose jobs are in the database.
 */
public final class DefaultReplayService implements ReplayService {

	/** A replay that runs changes its state a few times at most. */
	private static final int TRIES = 10;

	private final ReplayStores stores;

	private final MessagePolicies policies;

	private final DryRunReader dryRuns;

	private final ReplayWorker worker;

	private final ReplayListener events;

	/**
	 * Creates the service.
	 * @param stores where jobs are
	 * @param policies the queues that can be replayed to
	 * @param dryRuns looks at what would be replayed
	 * @param worker works on jobs
	 * @param events the listener to notify
	 */
	public DefaultReplayService(ReplayStores stores, MessagePolicies policies, DryRunReader dryRuns,
			ReplayWorker worker, ReplayListener events) {
		this.stores = stores;
		this.policies = policies;
		this.dryRuns = dryRuns;
		this.worker = worker;
		this.events = events;
	}

	@Override
	public DryRun dryRun(ReplayRequest request) {
		ReplaySelection selection = new ReplaySelection(request, old(request));
		DryRun dryRun = this.dryRuns.read(selection, this.stores.clock().instant());
		this.stores.audit()
			.add(AuditEntry.Action.REPLAY, request.act(),
					new JdbcAuditLog.Facts(true, request.selected(), null, dryRun.wouldReplay(), null, null));
		return dryRun;
	}

	@Override
	public ReplayJob start(ReplayRequest request) {
		ReplaySelection selection = new ReplaySelection(request, old(request));
		ReplayJob job = this.stores.tables().selecting(() -> {
			this.stores.reservations().lock();
			Instant now = this.stores.clock().instant();
			StoredJob created = this.stores.jobs()
				.create(request.selected(), request.options(), request.act(), false, now);
			select(created, selection);
			ReplayJob.Counts counts = this.stores.items().counts(created.id());
			this.stores.audit()
				.add(AuditEntry.Action.REPLAY, request.act(), new JdbcAuditLog.Facts(false, created.selection(),
						created.replayId(), counts.selected(), null, null));
			return created.view(counts);
		});
		this.worker.call();
		return job;
	}

	private void select(StoredJob job, ReplaySelection wanted) {
		ReplayRequest request = wanted.request();
		Set<String> queues = queues(request.selection());
		Expectation expected = request.expected();
		if (expected != null) {
			expected.check(this.stores.items().count(wanted.replayable(queues)), request.selected());
		}
		long selected = this.stores.items().select(job.id(), wanted.replayable(queues), request.options().maximum());
		if (expected != null) {
			// some may have been parked since they were counted
			expected.check(selected, request.selected());
		}
		StoredJob old = wanted.old();
		if (selected == 0) {
			throw nothing(wanted);
		}
		if (old != null && request.uncertainOf() != null
				&& this.stores.items().restore(old.id(), job.id()) != selected) {
			throw ReplayRefusedException.conflict("Some of the messages were restored or became certain meanwhile",
					"Nothing was done; try again.");
		}
	}

	private ReplayRefusedException nothing(ReplaySelection wanted) {
		ReplayRequest request = wanted.request();
		if (!request.takeReserved()) {
			List<Preview.Reservation> reservations = this.stores.reservations().of(wanted.matching());
			if (!reservations.isEmpty()) {
				return Reservations.allReserved(reservations);
			}
		}
		String what = (request.uncertainOf() != null) ? "uncertain of " + request.uncertainOf()
				: (request.restOf() != null) ? "left of " + request.restOf() : "parked";
		return ReplayRefusedException.conflict(
				"Nothing that is %s and can be replayed matches '%s'".formatted(what, request.selection()),
				"A dry run shows what matches and why it cannot be replayed.");
	}

	private @Nullable StoredJob old(ReplayRequest request) {
		String restOf = request.restOf();
		return (restOf != null) ? rest(restOf, request.options()) : uncertain(request.uncertainOf());
	}

	/** Only of what has ended is it known what it leaves. */
	private StoredJob rest(String replayId, ReplayOptions options) {
		StoredJob job = find(replayId);
		if (job.state().active()) {
			throw ReplayRefusedException.conflict("Replay %s is %s".formatted(job.replayId(), job.state()),
					"Resume it if it is paused, or abort it: only of what has ended there is a rest.");
		}
		if (job.edited()) {
			throw ReplayRefusedException.conflict("Replay %s was of an edited message".formatted(job.replayId()),
					"Edit the message again.");
		}
		if (job.forInspection() && options.target() == null) {
			throw ReplayRefusedException.conflict("Replay %s made copies for inspection".formatted(job.replayId()),
					"Set its target, '%s', or replay the messages as any others.".formatted(job.options().target()));
		}
		return job;
	}

	/** Only what has ended is uncertain for good. */
	private @Nullable StoredJob uncertain(@Nullable String replayId) {
		if (replayId == null) {
			return null;
		}
		StoredJob job = find(replayId);
		this.stores.items().uncertain(this.stores.application());
		this.stores.items().findParkedAgain(job);
		if (job.state().active()) {
			throw ReplayRefusedException.conflict("Replay %s is %s".formatted(job.replayId(), job.state()),
					"Nothing of it is uncertain before it has ended; let it go on, or abort it.");
		}
		long claimed = this.stores.items().counts(job.id()).inFlight();
		if (claimed > 0) {
			throw ReplayRefusedException.conflict(
					"%d messages of replay %s are claimed by an instance that died or is about to finish"
						.formatted(claimed, job.replayId()),
					"They become uncertain when its lease ends, within %d s; try again then."
						.formatted(ReplaySettings.LEASE.toSeconds()));
		}
		if (job.forInspection()) {
			throw ReplayRefusedException.conflict("Replay %s made copies for inspection".formatted(job.replayId()),
					"Its messages are parked: replay them as any others.");
		}
		return job;
	}

	private Set<String> queues(Selection selection) {
		String queue = selection.filter().queue();
		if (queue != null && this.policies.ofQueue(queue).isEmpty()) {
			throw ReplayRefusedException.invalid("filter's queue", "'%s' has no policy here".formatted(queue),
					"Ask the application that has a policy for it.");
		}
		return this.policies.all().stream().map(MessagePolicy::queue).collect(Collectors.toSet());
	}

	@Override
	public ReplayJob pause(String replayId, OperatorAction act) {
		return change(replayId, ReplayJob.State.PAUSED, ReplayJob.StopReason.ASKED_FOR, AuditEntry.Action.PAUSE, act);
	}

	@Override
	public ReplayJob resume(String replayId, OperatorAction act) {
		StoredJob job = find(replayId);
		// one that has published beyond its canary does not wait for it again
		ReplayJob.Counts canary = this.stores.items().canary(job);
		boolean waits = job.options().canary() > 0 && this.stores.items().begun(job.id()) <= job.options().canary()
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
		StoredJob job = find(replayId);
		ReplayOptions options = job.options().withRate(rate, ramp);
		this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().rate(job.id(), options)) {
				throw refused(find(replayId), AuditEntry.Action.CHANGE_RATE);
			}
			return this.stores.audit()
				.add(AuditEntry.Action.CHANGE_RATE, act, new JdbcAuditLog.Facts(false, null, job.replayId(), 0,
						"from %s to %s".formatted(perSecond(job.options().rate()), perSecond(rate)), null));
		});
		return job(replayId);
	}

	private static String perSecond(@Nullable Double rate) {
		return (rate != null) ? "%s per second".formatted(rate) : "unlimited";
	}

	@Override
	public ReplayJob restore(String replayId, OperatorAction act) {
		StoredJob job = find(replayId);
		uncertain(replayId);
		this.stores.tables().inTransaction(() -> {
			int restored = this.stores.items().restore(job.id(), null);
			if (restored == 0) {
				throw ReplayRefusedException.conflict("Nothing of replay %s is uncertain".formatted(job.replayId()),
						"What it did not publish is parked; 'items' shows the outcome of each message.");
			}
			return this.stores.audit()
				.add(AuditEntry.Action.RESTORE, act, new JdbcAuditLog.Facts(false, null, job.replayId(), restored,
						"%d uncertain messages are parked again".formatted(restored), null));
		});
		return job(replayId);
	}

	private ReplayJob change(String replayId, ReplayJob.State to, ReplayJob.@Nullable StopReason why,
			AuditEntry.Action what, OperatorAction act) {
		StoredJob job = find(replayId);
		int tries = 1;
		while (!changed(job, to, why, what, act)) {
			// what ends it may not fail because it was just paused, or has just passed
			// its canary
			if (tries++ == TRIES) {
				throw ReplayRefusedException.conflict("Replay %s was changed concurrently".formatted(replayId),
						"Nothing was done; try again.");
			}
			job = find(replayId);
		}
		this.worker.call();
		this.events.changed(replayId, to);
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
				this.stores.items().uncertain(this.stores.application());
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
		StoredJob job = find(replayId);
		this.stores.items().findParkedAgain(job);
		return job.view(this.stores.items().counts(job.id()));
	}

	@Override
	public List<ReplayJob> jobs(ReplayJob.@Nullable State state, int limit) {
		PageBounds.check(limit);
		return this.stores.jobs()
			.list(state, limit)
			.stream()
			.map((job) -> job.view(this.stores.items().counts(job.id())))
			.toList();
	}

	@Override
	public List<ReplayItem> items(String replayId, ReplayItem.@Nullable State state, long after, int limit) {
		PageBounds.check(limit);
		return this.stores.items().list(find(replayId).id(), state, after, limit);
	}

	private StoredJob find(String replayId) {
		// refuses what no column can hold
		Selection.of(ParkedFilter.ALL.withReplayId(replayId));
		return this.stores.jobs()
			.find(replayId)
			.orElseThrow(() -> ReplayRefusedException.unknown("replay '%s'".formatted(replayId)));
	}

}
