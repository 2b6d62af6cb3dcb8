/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoints answer. Spring Boot writes it with its own JSON settings, whatever
 * the application's are.
 */
sealed interface EndpointResponse extends OperationResponseBody {

	/**
	 * A page of messages.
	 *
	 * @param messages the messages, in the order that was asked for
	 * @param next what to give as {@code after} for the next page, or {@code null} if
	 * there is none
	 * @param total how many match, if requested
	 * @param discards who discarded those that are discarded, by their ids
	 */
	record Messages(List<ParkedSummary> messages, @Nullable String next, @Nullable Long total,
			@Nullable Map<Long, AuditEntry> discards) implements EndpointResponse {
	}

	/**
	 * Messages by what they failed of.
	 *
	 * @param groups the groups, largest first
	 * @param trends when their messages were parked, if requested
	 * @param note what is not known
	 */
	record Groups(List<FailureGroup> groups, @Nullable List<FailureGroup.Trend> trends,
			@Nullable String note) implements EndpointResponse {

		/** That a version is not known is not that it brought nothing new. */
		static Groups newSince(Ledger ledger, ParkedFilter filter, String handlerVersion, int size) {
			List<FailureGroup> groups = ledger.groupsNewSince(filter, handlerVersion, size);
			boolean known = !groups.isEmpty() || ledger.count(ParkedFilter.ALL.withHandlerVersion(handlerVersion)) > 0;
			return new Groups(groups, null, known ? null
					: "The ledger has no message that failed in handler version '%s': nothing has failed in it, or there is no such version."
						.formatted(handlerVersion));
		}

	}

	/**
	 * Messages by the value of an attribute.
	 *
	 * @param totals the values, most frequent first
	 */
	record Totals(List<FailureGroup.Total> totals) implements EndpointResponse {
	}

	/**
	 * What came of discarding.
	 *
	 * @param discarded how many messages were discarded, or would be
	 * @param dryRun whether they only would be
	 * @param auditId the audit's entry, by which what was discarded can be restored;
	 * {@code null} for a dry run
	 * @param reserved how many were left out, since replays have selected them
	 * @param preview samples, owners, the token and replays that have selected some, if
	 * it was a dry run
	 */
	record Discard(long discarded, boolean dryRun, @Nullable Long auditId, @Nullable Long reserved,
			@Nullable Preview preview) implements EndpointResponse {

		static Discard of(Discarded discarded) {
			return new Discard(discarded.count(), discarded.dryRun(), audited(discarded), discarded.reserved(),
					discarded.preview());
		}

	}

	/**
	 * What came of restoring what was discarded.
	 *
	 * @param restored how many messages are parked again, or would be
	 * @param dryRun whether they only would be
	 * @param auditId the audit's entry, {@code null} for a dry run
	 * @param preview samples, owners and the token, if it was a dry run
	 */
	record Restore(long restored, boolean dryRun, @Nullable Long auditId,
			@Nullable Preview preview) implements EndpointResponse {

		static Restore of(Discarded restored) {
			return new Restore(restored.count(), restored.dryRun(), audited(restored), restored.preview());
		}

	}

	/**
	 * A replay as it stands.
	 *
	 * @param replay the replay
	 * @param active whether messages are, or may again be, published
	 * @param percent the share of its messages that are dealt with, from 0 to 100
	 * @param causes the causes in its selection, if it is shown alone
	 */
	record Job(ReplayJob replay, boolean active, double percent,
			@Nullable List<FailureCause> causes) implements EndpointResponse {

		static Job of(ReplayJob job) {
			ReplayJob.Counts counts = job.counts();
			double percent = (counts.selected() == 0) ? 100 : 100.0
					* (counts.selected() - counts.waiting() - counts.inFlight() - counts.skipped()) / counts.selected();
			return new Job(job, job.state().active(), Math.round(percent * 10) / 10.0, null);
		}

		Job with(List<FailureCause> causes) {
			return new Job(this.replay, this.active, this.percent, causes);
		}

	}

	/**
	 * Replays.
	 *
	 * @param replays the replays, the last one begun first
	 * @param causes the causes in their selections
	 */
	record Jobs(List<Job> replays, List<FailureCause> causes) implements EndpointResponse {
	}

	/**
	 * Messages of a replay.
	 *
	 * @param messages the messages, in their order
	 * @param next what to give as {@code after} for the next page, or {@code null} if
	 * there is none
	 */
	record Items(List<ReplayItem> messages, @Nullable Long next) implements EndpointResponse {
	}

	/**
	 * What was done.
	 *
	 * @param entries entries, the last one first
	 * @param next what to give as {@code before} for the next page, or {@code null} if
	 * there is none
	 * @param causes the causes in their selections
	 * @param restorable the entries of acts whose messages are still discarded, at least
	 * one of them
	 */
	record Audit(List<AuditEntry> entries, @Nullable Long next, List<FailureCause> causes,
			Set<Long> restorable) implements EndpointResponse {
	}

	/**
	 * What a replay would do.
	 *
	 * @param dryRun what is known of it
	 */
	record Tried(DryRun dryRun) implements EndpointResponse {
	}

	private static @Nullable Long audited(Discarded result) {
		return result.dryRun() ? null : result.auditId();
	}

}
