/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides from outcomes whether a job continues. Looking costs the database something, so
 * it is done the more seldom the longer it takes.
 */
final class ReplayGuard {

	private static final Log logger = LogFactory.getLog(ReplayGuard.class);

	private static final long SHORTEST = Duration.ofMillis(200).toNanos();

	/** Of the time, this fraction at most is spent looking. */
	static final int ONE_IN = 20;

	/** Stands for the job itself where the audit names a user. */
	private static final String ITSELF = "rabbit-retry";

	/** What an audit entry must not have in its reason. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

	private final ReplayStores stores;

	private long dueAt = System.nanoTime() + SHORTEST;

	ReplayGuard(ReplayStores stores) {
		this.stores = stores;
	}

	boolean due() {
		return this.dueAt - System.nanoTime() <= 0;
	}

	/**
	 * Looks at the outcomes.
	 * @param job the job
	 * @param lease the right to change it
	 * @param state where it stands
	 * @return {@code false} if it was paused or ended
	 */
	boolean evaluate(StoredJob job, Lease lease, ReplayJob.State state) {
		long begun = System.nanoTime();
		try {
			ReplayOptions options = job.options();
			if (state == ReplayJob.State.CANARY) {
				return canary(job, lease);
			}
			if (state == ReplayJob.State.RUNNING && options.abortPercent() < 100 && options.target() == null) {
				this.stores.outcomes().findParkedAgain(job);
				ReplayJob.Counts counts = this.stores.items().counts(job.id());
				if (counts.parkedAgainAbove(options.abortPercent(), options.abortMinimum())) {
					return !end(job, lease, state, ReplayJob.State.STOPPED, ReplayJob.StopReason.TOO_MANY_PARKED_AGAIN,
							"%s of %s messages with an outcome were parked again, more than %s %%"
								.formatted(counts.parkedAgain(), counts.decided(), options.abortPercent()));
				}
			}
			return true;
		}
		finally {
			long now = System.nanoTime();
			this.dueAt = now + Math.max(SHORTEST, ONE_IN * (now - begun));
		}
	}

	/**
	 * Evaluates a canary that waits for its outcome, and gives the lease back.
	 * @param lease the right to change its job
	 * @return whether the rest may be published now
	 */
	boolean canaryPassed(Lease lease) {
		try {
			StoredJob job = this.stores.jobs().get(lease.jobId());
			if (job.state() == ReplayJob.State.CANARY) {
				evaluate(job, lease, job.state());
			}
		}
		finally {
			this.stores.jobs().release(lease);
		}
		return this.stores.jobs().get(lease.jobId()).state() == ReplayJob.State.RUNNING;
	}

	private boolean canary(StoredJob job, Lease lease) {
		this.stores.outcomes().findParkedAgain(job);
		ReplayJob.Counts counts = this.stores.items().canary(job);
		long bad = counts.parkedAgain() + counts.discarded() + counts.failed();
		if (bad > 0) {
			// whatever becomes of the others
			return !failed(job, lease, counts, bad);
		}
		if (counts.decided() < counts.selected()) {
			return !this.stores.jobs().canaryIsLate(job) || !undecided(job, lease, counts);
		}
		// none at all if nothing that was selected is still parked: then there is nothing
		// left
		return this.stores.jobs().change(lease, ReplayJob.State.CANARY, ReplayJob.State.RUNNING, null, null);
	}

	private boolean failed(StoredJob job, Lease lease, ReplayJob.Counts counts, long bad) {
		return end(job, lease, ReplayJob.State.CANARY, ReplayJob.State.STOPPED, ReplayJob.StopReason.CANARY_FAILED,
				"%s of the canary's %s messages did not succeed".formatted(bad, counts.selected()));
	}

	private boolean undecided(StoredJob job, Lease lease, ReplayJob.Counts counts) {
		return end(job, lease, ReplayJob.State.CANARY, ReplayJob.State.PAUSED, ReplayJob.StopReason.CANARY_UNDECIDED,
				"of %s of the canary's %s messages it is known that they succeeded. If an instance without the ledger, such as an old one, consumes their queue, stop it; then resume, or resume without the canary"
					.formatted(counts.succeeded(), counts.selected()));
	}

	/** All messages are published, can't be, or were not there any more. */
	boolean finish(StoredJob job, Lease lease) {
		ReplayJob.Counts counts = this.stores.items().counts(job.id());
		String failed = (counts.failed() > 0) ? "%s of %s messages could not be published and stayed parked"
			.formatted(counts.failed(), counts.selected()) : null;
		if (counts.skipped() > 0) {
			return end(job, lease, ReplayJob.State.RUNNING, ReplayJob.State.INCOMPLETE,
					ReplayJob.StopReason.MESSAGES_SKIPPED,
					"%s of %s messages were no longer parked when their turn came%s".formatted(counts.skipped(),
							counts.selected(), (failed != null) ? "; " + failed : ""));
		}
		return end(job, lease, ReplayJob.State.RUNNING, ReplayJob.State.FINISHED, null, failed);
	}

	boolean unroutable(StoredJob job, Lease lease, ReplayJob.State state, @Nullable String reply) {
		String target = job.options().target();
		String why = (target != null)
				? "the broker has no queue '%s', the replay's target, or does not allow it; see that it is there"
					.formatted(target)
				: "the broker found no way to a queue or does not allow it, or no policy names the queue any more. See that"
						+ " exchange, binding, permission and queue are there; or abort, and replay the rest of the other queues";
		return end(job, lease, state, ReplayJob.State.PAUSED, ReplayJob.StopReason.UNROUTABLE,
				(reply != null) ? "%s (%s)".formatted(why, reply) : why);
	}

	private boolean end(StoredJob job, Lease lease, ReplayJob.State from, ReplayJob.State to,
			ReplayJob.@Nullable StopReason why, @Nullable String detail) {
		boolean changed = this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().change(lease, from, to, why, detail)) {
				return false;
			}
			if (!to.active()) {
				this.stores.outcomes().uncertain(job.id());
			}
			this.stores.jobs().release(lease);
			AuditEntry.Action act = (to == ReplayJob.State.PAUSED) ? AuditEntry.Action.PAUSE
					: (to == ReplayJob.State.FINISHED || to == ReplayJob.State.INCOMPLETE) ? AuditEntry.Action.FINISH
							: AuditEntry.Action.STOP;
			ReplayJob.Counts counts = this.stores.items().counts(job.id());
			this.stores.audit()
				.add(act, new OperatorAction(ITSELF, reason((detail != null) ? detail : "all messages are published")),
						JdbcAuditLog.Facts.of(job, counts));
			return true;
		});
		if (changed) {
			logger.info("Replay %s is %s%s".formatted(job.replayId(), to, (detail != null) ? ": " + detail : ""));
		}
		return changed;
	}

	/**
	 * A detail may name a queue and quote the broker; the replay would never pause if the
	 * audit refused that.
	 */
	static String reason(String detail) {
		return HeaderText.bounded(UNPRINTABLE.matcher(detail).replaceAll("?"), OperatorAction.LONGEST_REASON);
	}

}
